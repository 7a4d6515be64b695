// ProcessGuard: calls of Process that follow each other on one thread, as those
// of the parts of a fused node. Each call does what InvokeProcess does, but the
// guard against exceptions is set up once for all of them.
//
//   ProcessGuard guard;
//   absl::Status status = guard.Run([&]() -> absl::Status {
//     for (Part& part : parts) {
//       absl::Status failure;
//       if (!guard.Succeeds(part.calculator, part.context, &failure)) {
//         return failure;
//       }
//     }
//     return absl::OkStatus();
//   });
//
// Thread rule: on the thread of the calls. Guards may be nested.
// Tested by process_guard_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_PROCESS_GUARD_H_
#define SYNCLINE_FRAMEWORK_NODE_PROCESS_GUARD_H_

#include <memory>
#include <new>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/legacy/legacy_support.h"

namespace syncline {

class ProcessGuard {
 public:
  ProcessGuard() : scope_(Scope::current()) {}
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  // Calls `calls`, once, which calls Succeeds. Returns its status, or that of
  // an exception.
  template <typename Calls>
  absl::Status Run(Calls&& calls) {
    absl::Status status;
    try {
      return std::forward<Calls>(calls)();
    } catch (...) {
      status = misuse_internal::StatusOfCaughtException();
    }
    return AfterException(std::move(status));
  }
  // REQUIRES: in Run; the call of the context has begun, and no call before it
  // has failed.
  // False: the status is in `failure`, which is else unchanged.
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool Succeeds(CalculatorBase* calculator,
                                             CalculatorContext* context,
                                             absl::Status* failure) {
    scope_.Change(context);
    Returned returned;
    new (&returned.status) absl::Status(calculator->Process(context));
    scope_.Change(scope_.outer());
    if (ABSL_PREDICT_TRUE(returned.status.ok() && !guard_.HasMisuse())) {
      return true;  // an OK status owns nothing
    }
    *failure = AfterError(*context, std::move(returned.status));
    std::destroy_at(&returned.status);
    return false;
  }
  // After Run: the context of the call that an exception has ended, or null.
  CalculatorContext* interrupted() const { return interrupted_; }

 private:
  using Scope = LegacyCalculatorSupport::Scoped<CalculatorContext>;
  // A status that is not destroyed by itself.
  union Returned {
    Returned() {}
    ~Returned() {}
    absl::Status status;
  };

  absl::Status AfterError(const CalculatorContext& context,
                          absl::Status status);
  absl::Status AfterException(absl::Status status);

  misuse_internal::GuardedCall guard_;
  Scope scope_;
  CalculatorContext* interrupted_ = nullptr;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_PROCESS_GUARD_H_
