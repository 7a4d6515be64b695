#include "framework/component/component_id.h"

#include <cstddef>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

constexpr std::size_t kDigits = 32;  // half of them for each number
}  // namespace

std::string ComponentId::ToString() const {
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32,
                         (high >> 16) & 0xffff, high & 0xffff, low >> 48,
                         low & 0xffffffffffff);
}

absl::StatusOr<ComponentId> ComponentId::Parse(absl::string_view text) {
  absl::string_view rest = text;
  if (absl::StartsWithIgnoreCase(rest, "0x")) rest.remove_prefix(2);
  const std::string digits = absl::StrReplaceAll(rest, {{"-", ""}});
  ComponentId id;
  if (digits.size() == kDigits &&
      absl::c_all_of(digits,
                     [](unsigned char c) { return absl::ascii_isxdigit(c); }) &&
      absl::SimpleHexAtoi(digits.substr(0, kDigits / 2), &id.high) &&
      absl::SimpleHexAtoi(digits.substr(kDigits / 2), &id.low)) {
    return id;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("\"", text.substr(0, 100),
                   "\" is no id: that has 32 hexadecimal digits, such as "
                   "\"d8629d82-2909-316d-a9ee-7410c8c1a7b6\"."));
}

}  // namespace syncline
