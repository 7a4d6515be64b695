// Periods as GXF and Holoscan write them: "100Hz", "10ms", "0.2s", "5 us".
//
// A number and a unit, in upper or lower case, with or without a space between
// them: ns, us, ms, s, min, h, or Hz and kHz for a rate. A number alone is in
// nanoseconds.
//
// Thread rule: a free function.
// Tested by period_text_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_PERIOD_TEXT_H_
#define SYNCLINE_FRAMEWORK_CONDITION_PERIOD_TEXT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

// In nanoseconds, rounded, at least 1. INVALID_ARGUMENT for anything else, in a
// message that begins with `option`.
absl::StatusOr<std::int64_t> ParsePeriodNs(absl::string_view option,
                                           absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_PERIOD_TEXT_H_
