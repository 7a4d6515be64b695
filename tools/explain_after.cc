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
  if (after >= absl::ZeroDuration() && after != absl::InfiniteDuration()) {
    return after;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--explain_after=", ShownName(text),
      " is no time: give seconds, as 1 or 0.5, or a number with its unit, as "
      "500ms; 0 says nothing"));
}

}  // namespace syncline
