#include "framework/component/component_id.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

constexpr std::size_t kDigits = 32;

int ValueOf(char digit) {
  digit = absl::ascii_tolower(static_cast<unsigned char>(digit));
  return absl::ascii_isdigit(static_cast<unsigned char>(digit))
             ? digit - '0'
             : digit - 'a' + 10;
}

}  // namespace

std::string ComponentId::ToString() const {
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32,
                         (high >> 16) & 0xffff, high & 0xffff, low >> 48,
                         low & 0xffffffffffff);
}

absl::StatusOr<ComponentId> ComponentId::Parse(absl::string_view text) {
  absl::string_view rest = text;
  if (absl::StartsWithIgnoreCase(rest, "0x")) rest.remove_prefix(2);
  ComponentId id;
  std::size_t digits = 0;
  for (const char c : rest) {
    if (c == '-') continue;
    if (!absl::ascii_isxdigit(static_cast<unsigned char>(c)) ||
        ++digits > kDigits) {
      digits = 0;
      break;
    }
    id.high = id.high << 4 | id.low >> 60;
    id.low = id.low << 4 | static_cast<std::uint64_t>(ValueOf(c));
  }
  if (digits == kDigits) return id;
  return absl::InvalidArgumentError(
      absl::StrCat("\"", text.substr(0, 100),
                   "\" is no id: that has 32 hexadecimal digits, such as "
                   "\"d8629d82-2909-316d-a9ee-7410c8c1a7b6\"."));
}

}  // namespace syncline
