// What happens when code breaks a rule that no status can carry: Get of the
// wrong type, arithmetic on a special timestamp, ...
//
// Such a call has to return a value and has none. Where user code was called
// by the engine (Open, Process, Close, a callback of the graph), the call ends
// there and its text becomes the status of that call, so the run ends with an
// error that names the node. Elsewhere nobody could pass a status on: the
// process ends, with the same text in the log. Both in every build.
//
//   absl::Status status = CallUserCode([&] { return calculator->Process(cc);
//   });
//
// How: CallUserCode marks the thread as guarded; ReportMisuse throws in a
// guarded thread an exception that only CallUserCode should catch. User code
// that swallows it (`catch (...)`) changes nothing: what was reported is kept
// and returned in place of what the code returned. A `noexcept` function in
// between ends the process, as for any exception.
//
// Thread rule: any thread; the mark belongs to the calling thread.
// Tested by misuse_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_MISUSE_H_
#define SYNCLINE_FRAMEWORK_BASE_MISUSE_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace syncline {

// Ends the guarded call this thread is in with `what`; outside of one, ends
// the process. `what` names the values involved. REQUIRES: !what.ok().
[[noreturn]] void ReportMisuse(absl::Status what);

// Calls `code` and returns its status. A misuse that was reported meanwhile
// comes first. An exception becomes a status with the exception's text:
// RESOURCE_EXHAUSTED for std::bad_alloc, else INTERNAL. Calls may be nested.
absl::Status CallUserCode(absl::FunctionRef<absl::Status()> code);

// True inside CallUserCode on this thread.
bool IsGuardedCall();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_MISUSE_H_
