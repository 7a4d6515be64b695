#include "benchmarks/device/calibration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/device/rounds_kernels.h"
#include "framework/allocator.h"
#include "framework/port/status_macros.h"
#include "gpu/kernel.h"

namespace syncline {
namespace {

// A stream, two events and memory, which go back at the end.
class Bench {
 public:
  explicit Bench(gpu::DeviceDriver* driver) : driver_(driver) {}
  ~Bench() {
    if (stream_ != nullptr) {
      driver_->HostWaitForStream(stream_).IgnoreError();
      driver_->DropStream(stream_);
    }
    for (const gpu::EventHandle event : {begin_, end_}) {
      if (event != nullptr) driver_->DropEvent(event);
    }
    for (const gpu::DriverMemory& memory : {host_, device_}) {
      if (memory.data != nullptr) driver_->GiveMemoryBack(memory);
    }
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  absl::Status Prepare(std::int64_t numbers, bool needs_host) {
    numbers_ = numbers;
    const std::size_t bytes =
        static_cast<std::size_t>(numbers) * sizeof(std::uint32_t);
    SYNCLINE_ASSIGN_OR_RETURN(stream_, driver_->MakeStream({.flags = 1}));
    SYNCLINE_ASSIGN_OR_RETURN(begin_, driver_->MakeEvent(/*has_time=*/true));
    SYNCLINE_ASSIGN_OR_RETURN(end_, driver_->MakeEvent(/*has_time=*/true));
    SYNCLINE_ASSIGN_OR_RETURN(
        device_,
        driver_->TakeMemory(MemoryStorageType::kDevice, bytes, "calibration"));
    if (!needs_host) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(
        host_,
        driver_->TakeMemory(MemoryStorageType::kHost, bytes, "calibration"));
    return absl::OkStatus();
  }

  // Seconds of one of `times` pieces of work, of which one more comes first.
  absl::StatusOr<double> TimeOf(int times,
                                const std::function<absl::Status()>& submit) {
    SYNCLINE_RETURN_IF_ERROR(submit());
    SYNCLINE_RETURN_IF_ERROR(driver_->Record(begin_, stream_));
    for (int i = 0; i < times; ++i) SYNCLINE_RETURN_IF_ERROR(submit());
    SYNCLINE_RETURN_IF_ERROR(driver_->Record(end_, stream_));
    SYNCLINE_RETURN_IF_ERROR(driver_->HostWaitForStream(stream_));
    SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t nanoseconds,
                              driver_->NanosecondsBetween(begin_, end_));
    return static_cast<double>(nanoseconds) * 1e-9 / times;
  }

  absl::StatusOr<double> TimeOfKernel(int times, std::int32_t rounds) {
    return TimeOf(times, [this, rounds] {
      const RoundsParameters parameters{rounds};
      const gpu::KernelBuffer buffer{device_.data, device_.size, true};
      return driver_->Launch(stream_, kGoOnRounds,
                             {.count = numbers_,
                              .buffers = &buffer,
                              .num_buffers = 1,
                              .parameters = &parameters,
                              .parameters_size = sizeof(parameters)});
    });
  }
  absl::StatusOr<double> TimeOfCopy(int times, bool is_upload) {
    return TimeOf(times, [this, is_upload] {
      return driver_->Copy(stream_, is_upload ? device_.data : host_.data,
                           is_upload ? host_.data : device_.data, device_.size,
                           "calibration");
    });
  }

  // The time of a kernel is a + b * rounds. Each step comes nearer.
  absl::StatusOr<CalibratedRounds> FindRounds(int times, double wanted) {
    constexpr std::int32_t kMaxRounds = 1 << 20;
    CalibratedRounds found;
    SYNCLINE_ASSIGN_OR_RETURN(const double one, TimeOfKernel(times, 1));
    found.seconds = one;
    std::int32_t tried = 64;
    for (int step = 0; step < 5 && one < wanted; ++step) {
      SYNCLINE_ASSIGN_OR_RETURN(const double time, TimeOfKernel(times, tried));
      found = {tried, time};
      const double per_round = (time - one) / std::max(1, tried - 1);
      if (per_round <= 0) {
        tried = std::min(tried * 8, kMaxRounds);
        continue;
      }
      const double rounds = 1 + (wanted - one) / per_round;
      tried = static_cast<std::int32_t>(
          std::clamp(rounds, 1.0, static_cast<double>(kMaxRounds)));
      if (tried == found.rounds) break;
    }
    return found;
  }

 private:
  gpu::DeviceDriver* const driver_;
  std::int64_t numbers_ = 0;
  gpu::StreamHandle stream_ = nullptr;
  gpu::EventHandle begin_ = nullptr;
  gpu::EventHandle end_ = nullptr;
  gpu::DriverMemory device_;
  gpu::DriverMemory host_;
};

}  // namespace

absl::StatusOr<CalibratedRounds> CalibrateKernel(gpu::DeviceDriver* driver,
                                                 std::int64_t numbers,
                                                 double wanted_seconds,
                                                 int times) {
  Bench bench(driver);
  SYNCLINE_RETURN_IF_ERROR(bench.Prepare(numbers, /*needs_host=*/false));
  return bench.FindRounds(times, wanted_seconds);
}

absl::StatusOr<CalibratedRounds> CalibrateTransfer(gpu::DeviceDriver* driver,
                                                   std::int64_t numbers,
                                                   TransferTimes* times) {
  constexpr int kTimes = 20;
  Bench bench(driver);
  SYNCLINE_RETURN_IF_ERROR(bench.Prepare(numbers, /*needs_host=*/true));
  SYNCLINE_ASSIGN_OR_RETURN(times->upload, bench.TimeOfCopy(kTimes, true));
  SYNCLINE_ASSIGN_OR_RETURN(times->download, bench.TimeOfCopy(kTimes, false));
  SYNCLINE_ASSIGN_OR_RETURN(const CalibratedRounds found,
                            bench.FindRounds(kTimes, times->upload));
  times->kernel = found.seconds;
  return found;
}

}  // namespace syncline
