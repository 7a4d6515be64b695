// The number and the name of a thread, whether a thread of this process could
// go on if it had a core, and on which core it was last.
//
// Thread rule: free functions, any thread.
// Tested by thread_state_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_
#define SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace syncline {

// The kernel's number of this thread.
pid_t ThisThreadId();

// The name of a thread of this process, which the kernel cuts off after 15
// bytes. Empty if there is no such thread.
std::string ThreadName(pid_t thread);

// The thread runs, or waits only for a core; it does not wait for a lock, for
// data or for time. Asks the kernel, which takes some 10 microseconds, and
// allocates nothing. False if there is no such thread, or if the kernel does
// not say.
bool IsRunnable(pid_t thread);

// Where the kernel writes the number of the core on which this thread runs, or
// ran last. Other threads may read it as long as this one lives. If it is the
// number of the core on which the reader runs, this thread has no core. Null if
// the kernel or the C library does not offer it (rseq: Linux 4.18, glibc 2.35).
const volatile std::uint32_t* ThisThreadCore();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_
