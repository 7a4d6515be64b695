// StandIn: devices in miniature, which run on the host.
//
//   auto stand_in = StandIn::Make({.num_devices = 2, .memory_bytes = 1 << 20});
//   for (auto& driver : stand_in->MakeDrivers()) ...
//
// For programs, tests and developers without a device: work is as asynchronous
// as on one, runs in any order that streams and events allow, memory of a
// device cannot be touched from the host, and runs out. What fails on order is
// told here, so that tests reach each error that a device can give.
//
//   mode      work runs                    order
//   threads   on a thread of its stream,   by chance; more so with
//             beside the host              `delay_seed`
//   steps     on the caller's thread, in   by seed, or as the test chooses
//             Step() and in host waits
//
// Thread rule: any thread.
// Tested by stand_in_test and stand_in_errors_test.

#ifndef SYNCLINE_GPU_STAND_IN_STAND_IN_H_
#define SYNCLINE_GPU_STAND_IN_STAND_IN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "gpu/driver.h"
#include "gpu/stand_in/accounts.h"
#include "gpu/stand_in/work_queues.h"

namespace syncline::gpu {

struct StandInOptions {
  int num_devices = 1;
  // Of each device; pinned memory has the same limit, for all together.
  std::size_t memory_bytes = std::size_t{1} << 30;
  // Whether streams have threads; otherwise work runs in steps.
  bool has_threads = true;
  // See WorkQueuesOptions.
  absl::optional<std::uint64_t> delay_seed;
  int units_per_device = 0;
  std::function<std::size_t(std::size_t num_ready)> choose;
  std::uint64_t step_seed = 0;
  std::function<absl::optional<std::size_t>(absl::Span<const std::string>)>
      choose_in_calls;
};

class StandIn : public std::enable_shared_from_this<StandIn> {
 public:
  static std::shared_ptr<StandIn> Make(StandInOptions options);
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // One for each device. They keep this object alive.
  std::vector<std::unique_ptr<DeviceDriver>> MakeDrivers();

  // --- Steps; see WorkQueues. Without threads only.
  std::size_t NumReady() const { return queues_.NumReady(); }
  std::vector<std::string> ReadyWorks() const { return queues_.ReadyWorks(); }
  bool Step(std::size_t choice) { return queues_.Step(choice); }
  bool StepBySeed() { return queues_.StepBySeed(); }
  // Until nothing is left.
  void RunAll();

  // --- Errors on order
  // The n-th call from now on, of any device, returns `status` and does
  // nothing.
  void FailCall(StandInCall call, int n, absl::Status status) {
    accounts_->FailCall(call, n, std::move(status));
  }
  // The n-th kernel that begins from now on fails. The device is in that error
  // from then on.
  void FailKernel(int n) { accounts_->FailKernel(n); }
  // The device is gone: all that waits is dropped, each call is an error.
  void RemoveDevice(int device);

  // The memory that is held: of a device, or pinned memory of all.
  std::size_t BytesInUse(int device) const {
    return accounts_->BytesInUse(device);
  }
  std::size_t PinnedBytesInUse() const {
    return accounts_->BytesInUse(StandInAccounts::kPinned);
  }

  // --- For drivers
  WorkQueues& queues() { return queues_; }
  const std::shared_ptr<StandInAccounts>& accounts() const { return accounts_; }
  const StandInOptions& options() const { return options_; }

 private:
  explicit StandIn(StandInOptions options);

  const StandInOptions options_;
  // Work has it, too: some of it may live longer than this object.
  const std::shared_ptr<StandInAccounts> accounts_;
  WorkQueues queues_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_STAND_IN_H_
