// "Did you mean": the known names nearest to one that is not known.
//
// Thread rule: free functions.
// Tested by suggestions_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_SUGGESTIONS_H_
#define SYNCLINE_FRAMEWORK_PLAN_SUGGESTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace syncline {

// ` Did you mean "a" or "b"?`, with a leading space; nothing when no candidate
// is near. Time linear in the candidates, of which only the first 10,000 count.
std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> candidates);
std::string DidYouMean(absl::string_view name,
                       absl::Span<const std::string> candidates);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_SUGGESTIONS_H_
