#include "framework/calculator/call_error.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_stop.h"
#include "framework/base/status_text.h"
#include "framework/calculator/context.h"

namespace syncline {
namespace {

absl::Status NamedError(absl::string_view function,
                        const CalculatorContext& context,
                        const absl::Status& status) {
  return PrefixStatus(absl::StrCat("Calculator::", function, "() for node \"",
                                   context.NodeName(), "\" failed: "),
                      status);
}

// What is wrong may be in the packets of this call. Sources have none.
absl::Status WithTimestamp(const CalculatorContext& context,
                           const absl::Status& status) {
  if (context.Inputs().NumEntries() == 0) return status;
  return WithPayloadsOf(
      status, status.code(),
      absl::StrCat(status.message(), " (at timestamp ",
                   context.InputTimestamp().DebugString(), ")"));
}

}  // namespace

absl::Status ProcessError(const CalculatorContext& context,
                          const absl::Status& status) {
  if (tool::IsStatusStop(status)) return status;
  return NamedError("Process", context, WithTimestamp(context, status));
}

absl::Status CallError(absl::string_view function,
                       const CalculatorContext& context,
                       const absl::Status& status) {
  if (!tool::IsStatusStop(status)) return NamedError(function, context, status);
  return NamedError(
      function, context,
      absl::InternalError(absl::StrCat(
          function,
          "() returned tool::StatusStop(), which only Process() may.")));
}

}  // namespace syncline
