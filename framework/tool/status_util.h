// Statuses that calculators return, and ways to put their texts together.
//
// Thread rule: free functions.
// Tested by status_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_STATUS_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_STATUS_UTIL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/status_stop.h"

namespace syncline {
namespace tool {

// INVALID_ARGUMENT: a mistake of the caller.
absl::Status StatusInvalid(absl::string_view message);

// UNKNOWN: a failure without a better code.
absl::Status StatusFail(absl::string_view message);

// `status` with `prefix` directly before its text; an OK status stays as it is.
absl::Status AddStatusPrefix(absl::string_view prefix,
                             const absl::Status& status);

// One status for all errors among `statuses`: the code they share, or UNKNOWN;
// `prefix`, then a line for each text. OK when there are none.
absl::Status CombinedStatus(absl::string_view prefix,
                            absl::Span<const absl::Status> statuses);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_STATUS_UTIL_H_
