#include "framework/memory/memory_size_text.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace syncline {
namespace {

// Takes the digits at the beginning of `text`.
absl::string_view TakeDigits(absl::string_view* text) {
  std::size_t count = 0;
  while (count < text->size() && absl::ascii_isdigit((*text)[count])) ++count;
  const absl::string_view digits = text->substr(0, count);
  text->remove_prefix(count);
  return digits;
}

// The power of 1024 that a unit is; -1 for no unit.
int PowerOf(absl::string_view unit) {
  const std::string upper = absl::AsciiStrToUpper(unit);
  if (upper.empty() || upper == "B") return 0;
  constexpr absl::string_view kLetters = "KMGT";
  if (upper.size() != 2 || upper[1] != 'B') return -1;
  const std::size_t at = kLetters.find(upper[0]);
  return at == absl::string_view::npos ? -1 : static_cast<int>(at) + 1;
}

}  // namespace

absl::StatusOr<std::size_t> ParseMemorySize(absl::string_view option,
                                            absl::string_view text) {
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  const absl::string_view digits = TakeDigits(&rest);
  const bool has_point = absl::ConsumePrefix(&rest, ".");
  const bool has_decimals = has_point && !TakeDigits(&rest).empty();
  const int power = PowerOf(absl::StripLeadingAsciiWhitespace(rest));
  if (digits.empty() || has_point != has_decimals || power < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, " is \"", text,
                     "\", which is no size of memory. Write a number and B, "
                     "KB, MB, GB or TB, such as \"64MB\"."));
  }
  std::uint64_t bytes = 0;
  bool fits = absl::SimpleAtoi(digits, &bytes);
  for (int i = 0; i < power; ++i) {
    fits = fits && !__builtin_mul_overflow(bytes, 1024, &bytes);
  }
  if (fits) return bytes;
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is \"", text,
                   "\", which is more than a number of bytes can be."));
}

}  // namespace syncline
