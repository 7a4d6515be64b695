#include "gpu/stand_in/accounts.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"

namespace syncline::gpu {
namespace {

std::size_t Index(int device) { return static_cast<std::size_t>(device + 1); }

}  // namespace

StandInAccounts::StandInAccounts(int num_devices, std::size_t limit)
    : limit_(limit), in_use_(Index(num_devices)) {}

absl::Status StandInAccounts::Take(int device, std::size_t bytes,
                                   std::size_t returning) {
  MutexLock lock(&mutex_);
  std::size_t& in_use = in_use_[Index(device)];
  const std::size_t held = in_use - returning;
  if (bytes > limit_ || held > limit_ - bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(held, " of ", limit_, " bytes are in use"));
  }
  in_use += bytes;
  return absl::OkStatus();
}

void StandInAccounts::GiveBack(int device, std::size_t bytes) {
  MutexLock lock(&mutex_);
  in_use_[Index(device)] -= bytes;
}

std::size_t StandInAccounts::BytesInUse(int device) const {
  MutexLock lock(&mutex_);
  return in_use_[Index(device)];
}

void StandInAccounts::FailCall(StandInCall call, int n, absl::Status status) {
  MutexLock lock(&mutex_);
  orders_[static_cast<std::size_t>(call)] = {n, std::move(status)};
}

absl::Status StandInAccounts::BeginCall(StandInCall call) {
  MutexLock lock(&mutex_);
  Order& order = orders_[static_cast<std::size_t>(call)];
  if (order.calls_left == 0 || --order.calls_left > 0) return absl::OkStatus();
  return order.status;
}

bool StandInAccounts::KernelFails() {
  if (kernels_until_failure_.load() <= 0) return false;
  return kernels_until_failure_.fetch_sub(1) == 1;
}

}  // namespace syncline::gpu
