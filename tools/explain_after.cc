#include "tools/explain_after.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tools/exit_status.h"

namespace syncline {

absl::StatusOr<absl::Duration> ParseExplainAfter(absl::string_view text) {
  absl::Duration after = absl::InfiniteDuration();
  double seconds = 0;
  if (absl::SimpleAtod(text, &seconds)) {
    if (std::isfinite(seconds)) after = absl::Seconds(seconds);
  } else if (!absl::ParseDuration(std::string(text), &after)) {
    after = absl::InfiniteDuration();
  }
  // In less, a call that is about to begin would seem to stand still.
  constexpr absl::Duration kLeast = absl::Milliseconds(1);
  if (after > absl::ZeroDuration() && after < kLeast) {
    return absl::InvalidArgumentError(
        absl::StrCat("--explain_after=", ShownName(text),
                     " is less than 1 ms, in which any graph stands still: "
                     "give more, or 0, which says nothing"));
  }
  if (after >= absl::ZeroDuration() && after != absl::InfiniteDuration()) {
    return after;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--explain_after=", ShownName(text),
      " is no time: give seconds, as 1 or 0.5, or a number with its unit, as "
      "500ms; 0 says nothing"));
}

}  // namespace syncline
