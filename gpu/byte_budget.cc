#include "gpu/byte_budget.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/memory/memory_size_text.h"

namespace syncline::gpu {
namespace {

#if defined(__aarch64__)
constexpr std::size_t kDefaultInitialSize = std::size_t{8} << 20;
#else
constexpr std::size_t kDefaultInitialSize = std::size_t{16} << 20;
#endif

}  // namespace

absl::StatusOr<PoolSizes> PoolSizes::Parse(absl::string_view kind,
                                           absl::string_view initial,
                                           absl::string_view max) {
  PoolSizes sizes;
  sizes.initial = kDefaultInitialSize;
  if (!initial.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(
        sizes.initial,
        ParseMemorySize(absl::StrCat(kind, "_initial_size"), initial));
  }
  const bool fits =
      sizes.initial <= std::numeric_limits<std::size_t>::max() / 2;
  sizes.max = fits ? 2 * sizes.initial : sizes.initial;
  if (!max.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(
        sizes.max, ParseMemorySize(absl::StrCat(kind, "_max_size"), max));
  }
  if (sizes.max >= std::max<std::size_t>(sizes.initial, 1)) return sizes;
  return absl::InvalidArgumentError(absl::StrCat(
      kind, "_max_size is ", sizes.max, " bytes and ", kind,
      "_initial_size is ", sizes.initial,
      ". Set the maximum to at least 1 byte, and not below the initial size."));
}

absl::Status ByteBudget::Take(absl::string_view who, std::size_t bytes,
                              std::size_t from_reservation) {
  MutexLock lock(&mutex_);
  reserved_ -= from_reservation;
  if (bytes > max_) {
    return absl::InvalidArgumentError(
        absl::StrCat(who, ", which never has more than ", max_,
                     " bytes. Increase its maximum, or ask for less."));
  }
  if (bytes > FreeLocked()) {
    return absl::ResourceExhaustedError(
        absl::StrCat(who, ", which ", UseTextLocked(),
                     ". Increase its maximum, or let the node wait with a "
                     "MemoryAvailableCondition."));
  }
  in_use_ += bytes;
  return absl::OkStatus();
}

bool ByteBudget::TryTake(std::size_t bytes) {
  MutexLock lock(&mutex_);
  if (bytes > FreeLocked()) return false;
  in_use_ += bytes;
  return true;
}

void ByteBudget::Hold(const std::byte* data, std::size_t bytes,
                      absl::string_view label) {
  MutexLock lock(&mutex_);
  holdings_[data] = {bytes, std::string(label)};
}

void ByteBudget::Untake(std::size_t bytes) {
  MutexLock lock(&mutex_);
  in_use_ -= bytes;
}

std::size_t ByteBudget::Unhold(const std::byte* data) {
  MutexLock lock(&mutex_);
  const auto found = holdings_.find(data);
  const std::size_t bytes = found->second.bytes;
  holdings_.erase(found);
  return bytes;
}

bool ByteBudget::IsAvailable(std::size_t bytes) const {
  MutexLock lock(&mutex_);
  return bytes <= FreeLocked();
}

bool ByteBudget::Reserve(std::size_t bytes) {
  MutexLock lock(&mutex_);
  if (bytes > FreeLocked()) return false;
  reserved_ += bytes;
  return true;
}

void ByteBudget::Unreserve(std::size_t bytes) {
  MutexLock lock(&mutex_);
  reserved_ -= bytes;
}

std::string ByteBudget::UseText() const {
  MutexLock lock(&mutex_);
  return UseTextLocked();
}

std::string ByteBudget::UseTextLocked() const {
  std::map<std::string, std::size_t> bytes_of_label;
  for (const auto& [data, holding] : holdings_) {
    bytes_of_label[holding.label] += holding.bytes;
  }
  constexpr std::size_t kMaxHolders = 12;
  std::vector<std::string> parts;
  for (const auto& [label, bytes] : bytes_of_label) {
    if (parts.size() == kMaxHolders) {
      parts.push_back(
          absl::StrCat(bytes_of_label.size() - kMaxHolders, " more holders"));
      break;
    }
    parts.push_back(label.empty() ? absl::StrCat(bytes, " without a label")
                                  : absl::StrCat(bytes, " by \"", label, "\""));
  }
  if (reserved_ > 0) parts.push_back(absl::StrCat(reserved_, " reserved"));
  return absl::StrCat("has ", FreeLocked(), " of ", max_, " bytes free",
                      parts.empty() ? "" : ": ", absl::StrJoin(parts, ", "));
}

}  // namespace syncline::gpu
