#include "framework/node/process_guard.h"

#include <utility>

#include "absl/status/status.h"
#include "framework/calculator/call_error.h"

namespace syncline {

absl::Status ProcessGuard::AfterError(const CalculatorContext& context,
                                      absl::Status status) {
  std::move(guard_).PutMisuseFirst(&status);
  return ProcessError(context, status);
}

absl::Status ProcessGuard::AfterException(absl::Status status) {
  CalculatorContext* const context = Scope::current();
  if (context == scope_.outer()) {
    std::move(guard_).PutMisuseFirst(&status);
    return status;
  }
  interrupted_ = context;
  scope_.Change(scope_.outer());
  return AfterError(*context, std::move(status));
}

}  // namespace syncline
