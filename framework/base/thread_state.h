// Whether a thread of this process could go on if it had a core.
//
// Thread rule: free functions, any thread.
// Tested by thread_state_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_
#define SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_

#include <sys/types.h>

namespace syncline {

// The kernel's number of this thread.
pid_t ThisThreadId();

// The thread runs, or waits only for a core; it does not wait for a lock, for
// data or for time. Asks the kernel, which takes some 10 microseconds, and
// allocates nothing. False if there is no such thread, or if the kernel does
// not say.
bool IsRunnable(pid_t thread);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_THREAD_STATE_H_
