// --explain_after: for how long a run stands still before run_graph says why.
//
// Thread rule: free functions.
// Tested by explain_after_test.

#ifndef SYNCLINE_TOOLS_EXPLAIN_AFTER_H_
#define SYNCLINE_TOOLS_EXPLAIN_AFTER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace syncline {

// "1", "0.5", "500ms" or "2m"; a number without a unit is in seconds. 0 is off.
// INVALID_ARGUMENT names the flag.
absl::StatusOr<absl::Duration> ParseExplainAfter(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_EXPLAIN_AFTER_H_
