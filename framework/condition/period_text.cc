#include "framework/condition/period_text.h"

#include <cmath>
#include <cstdint>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

struct Unit {
  absl::string_view name;
  // The length of one such unit, or of the period of a rate of one.
  std::int64_t ns;
  bool is_rate;
};

constexpr Unit kUnits[] = {
    {"", 1, false},
    {"ns", 1, false},
    {"us", 1'000, false},
    {"ms", 1'000'000, false},
    {"s", 1'000'000'000, false},
    {"min", 60'000'000'000, false},
    {"h", 3'600'000'000'000, false},
    {"hz", 1'000'000'000, true},
    {"khz", 1'000'000, true},
};

const Unit* FindUnit(absl::string_view name) {
  for (const Unit& unit : kUnits) {
    if (absl::EqualsIgnoreCase(name, unit.name)) return &unit;
  }
  return nullptr;
}

// `text` is a config's, and may be anything of any length.
absl::Status Bad(absl::string_view option, absl::string_view text,
                 absl::string_view what) {
  constexpr absl::string_view::size_type kMaxShown = 60;
  return absl::InvalidArgumentError(absl::StrCat(
      option, " is \"", absl::CHexEscape(text.substr(0, kMaxShown)),
      text.size() > kMaxShown ? "..." : "", "\": ", what,
      " Write a period or a rate, such as \"10ms\", \"0.2s\", \"5 us\" or "
      "\"100Hz\"; a number alone is nanoseconds."));
}

}  // namespace

absl::StatusOr<std::int64_t> ParsePeriodNs(absl::string_view option,
                                           absl::string_view text) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  if (trimmed.empty()) {
    return Bad(option, text, "a period is missing.");
  }
  if (trimmed[0] == '-') {
    return Bad(option, text, "a period cannot be negative.");
  }
  // What from_chars would take besides: "inf", "nan", "0x10".
  const bool is_hex = absl::StartsWithIgnoreCase(trimmed, "0x");
  if (is_hex || (!absl::ascii_isdigit(trimmed[0]) && trimmed[0] != '.')) {
    return Bad(option, text, "it does not begin with a number.");
  }
  double number = 0;
  const absl::from_chars_result parsed =
      absl::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), number);
  if (parsed.ec == std::errc::invalid_argument) {
    return Bad(option, text, "it does not begin with a number.");
  }
  const auto digits =
      trimmed.substr(0, static_cast<std::size_t>(parsed.ptr - trimmed.data()));
  const Unit* const unit = FindUnit(
      absl::StripLeadingAsciiWhitespace(trimmed.substr(digits.size())));
  if (unit == nullptr) {
    return Bad(option, text,
               "its unit is none of ns, us, ms, s, min, h, Hz and kHz.");
  }
  constexpr absl::string_view kTooLong =
      "it is longer than 292 years, the end of time in nanoseconds.";
  constexpr absl::string_view kTooShort = "it is shorter than a nanosecond.";
  // Whole numbers are exact, also where a double is not.
  std::int64_t whole = 0;
  if (!unit->is_rate && absl::SimpleAtoi(digits, &whole)) {
    std::int64_t ns;
    if (__builtin_mul_overflow(whole, unit->ns, &ns)) {
      return Bad(option, text, kTooLong);
    }
    if (ns == 0) return Bad(option, text, "a period cannot be 0.");
    return ns;
  }
  if (number == 0) {
    return Bad(option, text, unit->is_rate ? "a rate cannot be 0." : kTooShort);
  }
  const double ns =
      std::round(unit->is_rate ? unit->ns / number : number * unit->ns);
  // 2^63, which is the first double that does not fit. Infinity is greater.
  if (!(ns < 0x1p63)) return Bad(option, text, kTooLong);
  if (ns < 1) return Bad(option, text, kTooShort);
  return static_cast<std::int64_t>(ns);
}

}  // namespace syncline
