// StandInAccounts: how much memory the devices of a StandIn have left, and
// which call or kernel is to fail on order.
//
// Thread rule: any thread.
// Tested by stand_in_errors_test.

#ifndef SYNCLINE_GPU_STAND_IN_ACCOUNTS_H_
#define SYNCLINE_GPU_STAND_IN_ACCOUNTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/mutex.h"

namespace syncline::gpu {

// Calls of a driver that can be told to fail.
enum class StandInCall {
  kTakeMemory,
  kMakeStream,
  kMakeEvent,
  kRecord,
  kCopy,
  kLaunch,
  kFill,
  kCallHost,
  kWaitFor,
  kHasEnded,
  kGiveMemoryBackAsync,
  kNumCalls
};

class StandInAccounts {
 public:
  // The number of "the device" of pinned memory.
  static constexpr int kPinned = -1;

  // `limit` bytes for each device, and for pinned memory.
  StandInAccounts(int num_devices, std::size_t limit);
  StandInAccounts(const StandInAccounts&) = delete;
  StandInAccounts& operator=(const StandInAccounts&) = delete;

  // Takes `bytes`, where `returning` bytes of what is in use come back before.
  absl::Status Take(int device, std::size_t bytes, std::size_t returning);
  void GiveBack(int device, std::size_t bytes);
  std::size_t BytesInUse(int device) const;

  // See StandIn.
  void FailCall(StandInCall call, int n, absl::Status status);
  void FailKernel(int n) { kernels_until_failure_.store(n); }

  // An error if this call is the one that has to fail.
  absl::Status BeginCall(StandInCall call);
  // True if this kernel is.
  bool KernelFails();

 private:
  struct Order {
    int calls_left = 0;  // 0: no order
    absl::Status status;
  };
  static constexpr auto kNumCalls =
      static_cast<std::size_t>(StandInCall::kNumCalls);

  const std::size_t limit_;
  mutable Mutex mutex_;
  // Pinned memory, then that of each device.
  std::vector<std::size_t> in_use_ ABSL_GUARDED_BY(mutex_);
  std::array<Order, kNumCalls> orders_ ABSL_GUARDED_BY(mutex_);
  std::atomic<int> kernels_until_failure_{0};
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_ACCOUNTS_H_
