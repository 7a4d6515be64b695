// Adds a prefix to the text of a status, and makes one status of several.
//
// Thread rule: free functions.
// Tested by status_text_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_STATUS_TEXT_H_
#define SYNCLINE_FRAMEWORK_BASE_STATUS_TEXT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace syncline {

// `status` with `prefix` directly before its text. Code and payloads stay, an
// OK status stays OK.
absl::Status PrefixStatus(absl::string_view prefix, const absl::Status& status);

// A status of this code and text, with the payloads of `other`.
absl::Status WithPayloadsOf(const absl::Status& other, absl::StatusCode code,
                            absl::string_view text);

// One status for all errors among `statuses`: the code they share, or UNKNOWN
// when they differ; the text is `prefix`, then a line for each. OK when all
// are.
absl::Status CombineStatuses(absl::string_view prefix,
                             absl::Span<const absl::Status> statuses);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_STATUS_TEXT_H_
