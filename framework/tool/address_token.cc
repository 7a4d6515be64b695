#include "framework/tool/address_token.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace syncline {
namespace tool {
namespace {

std::uint64_t RandomNumber() {
  std::random_device random;
  return (std::uint64_t{random()} << 32) | random();
}

// A hash of the purpose and the address with two random numbers that only this
// process knows.
std::uint64_t Seal(absl::string_view purpose, std::uint64_t address) {
  static const std::pair<std::uint64_t, std::uint64_t> secrets = {
      RandomNumber(), RandomNumber()};
  return absl::HashOf(secrets.first, purpose, address, secrets.second);
}

}  // namespace

std::string AddressToken(absl::string_view purpose, const void* address) {
  const auto number =
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
  return absl::StrCat("0x", absl::Hex(number), ":",
                      absl::Hex(Seal(purpose, number)));
}

absl::StatusOr<void*> AddressFromToken(absl::string_view purpose,
                                       absl::string_view token) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(token, absl::MaxSplits(':', 1));
  std::uint64_t address = 0;
  std::uint64_t seal = 0;
  if (!absl::SimpleHexAtoi(parts.first, &address) ||
      !absl::SimpleHexAtoi(parts.second, &seal) ||
      seal != Seal(purpose, address)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the config holds an address for ", purpose,
        " that this process did not put there; such a config is only good in "
        "the process that made it: add the sink anew."));
  }
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

}  // namespace tool
}  // namespace syncline
