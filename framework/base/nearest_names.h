// "Did you mean": names that resemble one that is not known.
//
// Two names are near when few letters have to be changed to turn one into the
// other; upper and lower case count as equal. The package part ("a.b.") may
// also be wrong, and the end may be missing ("PassThrough" for
// "PassThroughCalculator").
//
// The time is proportional to the number of candidates, since only a limited
// part of each candidate is compared.
//
// Thread rule: a free function.
// Tested by nearest_names_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_NEAREST_NAMES_H_
#define SYNCLINE_FRAMEWORK_BASE_NEAREST_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace syncline {

// At most `max` of the candidates, the nearest first; none when none is near.
std::vector<std::string> NearestNames(absl::string_view name,
                                      absl::Span<const std::string> candidates,
                                      std::size_t max);

// ` Did you mean "a" or "b"?`, with a space before it; "" for no names.
std::string DidYouMeanText(absl::Span<const std::string> names);

// ` Known are "a", "b" and 7 more.`, with a space before it and at most a dozen
// names, for when no name is near; "" for no names.
std::string KnownNamesText(absl::Span<const std::string> names);

// DidYouMeanText for the candidates that are near `name`; if none is near,
// KnownNamesText for all candidates.
std::string DidYouMeanOrKnownText(absl::string_view name,
                                  absl::Span<const std::string> candidates);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_NEAREST_NAMES_H_
