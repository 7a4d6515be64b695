// What happens when code breaks a rule that no status can carry: Get of the
// wrong type, arithmetic on a special timestamp, ...
//
// Such a function has to return a value and has none. If the engine has called
// the user's code (Open, Process, Close, a callback of the graph), this call
// ends at that point, the text becomes its status, and the run ends with an
// error that names the node. Elsewhere no caller could pass a status on: the
// process ends, with the same text in the log. Both happen in every build.
//
//   absl::Status status =
//       CallUserCode([&] { return calculator->Process(cc); });
//
// How: CallUserCode marks the thread as guarded; on a guarded thread
// ReportMisuse throws an exception that only CallUserCode should catch. If user
// code catches it (`catch (...)`), the report is kept all the same, and
// CallUserCode returns it in place of the status that the code returned. A
// `noexcept` function in between ends the process, as for any exception.
//
// Thread rule: any thread; the mark belongs to the calling thread.
// Tested by misuse_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_MISUSE_H_
#define SYNCLINE_FRAMEWORK_BASE_MISUSE_H_

#include <type_traits>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"

namespace syncline {

// Ends the guarded call this thread is in with `what`; outside of one, ends
// the process. `what` names the values involved. REQUIRES: !what.ok().
[[noreturn]] void ReportMisuse(absl::Status what);

namespace misuse_internal {

// One CallUserCode in progress: sets the thread's mark, and takes it back
// however the call ends.
class GuardedCall {
 public:
  GuardedCall() : outer_(innermost_) { innermost_ = this; }
  ~GuardedCall() { innermost_ = outer_; }
  GuardedCall(const GuardedCall&) = delete;
  GuardedCall& operator=(const GuardedCall&) = delete;

  // The innermost call of this thread, or null.
  static GuardedCall* Innermost() { return innermost_; }

  // The first misuse counts.
  void SetMisuse(absl::Status misuse) {
    if (misuse_.ok()) misuse_ = std::move(misuse);
  }
  bool HasMisuse() const { return !misuse_.ok(); }
  // Makes what the code returned or threw what the call comes to.
  void PutMisuseFirst(absl::Status* status) && {
    if (ABSL_PREDICT_FALSE(!misuse_.ok())) *status = std::move(misuse_);
  }

 private:
  static inline constinit thread_local GuardedCall* innermost_ = nullptr;

  GuardedCall* const outer_;
  absl::Status misuse_;
};

// For a handler: the exception that was just caught, as a status. An unwinding
// that ends the thread goes on.
absl::Status StatusOfCaughtException();

template <typename Code>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CatchAll(Code&& code) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Code>>) {
      std::forward<Code>(code)();
      return absl::OkStatus();
    } else {
      return std::forward<Code>(code)();
    }
  } catch (...) {
    return StatusOfCaughtException();
  }
}

}  // namespace misuse_internal

// Calls `code`, a function without arguments, and returns the absl::Status that
// it returns; OK for a function that returns nothing. A misuse that was
// reported meanwhile comes first. An exception becomes a status with the
// exception's text: RESOURCE_EXHAUSTED for std::bad_alloc, else INTERNAL. Calls
// may be nested.
template <typename Code>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallUserCode(Code&& code) {
  misuse_internal::GuardedCall call;
  absl::Status status = misuse_internal::CatchAll(std::forward<Code>(code));
  std::move(call).PutMisuseFirst(&status);
  return status;
}

// Runs the framework's own code where memory may run out: what it throws
// becomes the status, as in CallUserCode. Takes no memory for that if there is
// none.
template <typename Code>
absl::Status CatchExceptions(Code&& code) {
  return misuse_internal::CatchAll(std::forward<Code>(code));
}

// True inside CallUserCode on this thread.
bool IsGuardedCall();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_MISUSE_H_
