// How many rounds make a kernel take the time that a workload wants, measured
// by events of the device.
//
// Thread rule: free functions, on a device that does nothing else.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_CALIBRATION_H_
#define SYNCLINE_BENCHMARKS_DEVICE_CALIBRATION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "gpu/driver.h"

namespace syncline {

// Seconds that a piece of work takes.
struct TransferTimes {
  double upload = 0;
  double kernel = 0;
  double download = 0;
};

// Of kernels one after another; more rounds take longer in proportion.
// `seconds` is their time with the rounds that were found. At least 1 round,
// also where that takes longer than wanted.
struct CalibratedRounds {
  std::int32_t rounds = 1;
  double seconds = 0;
};

// For kernels that change `numbers` numbers in place. Each step of the search
// runs `times` of them.
absl::StatusOr<CalibratedRounds> CalibrateKernel(gpu::DeviceDriver* driver,
                                                 std::int64_t numbers,
                                                 double wanted_seconds,
                                                 int times);
// For a kernel that takes as long as an upload of the numbers.
absl::StatusOr<CalibratedRounds> CalibrateTransfer(gpu::DeviceDriver* driver,
                                                   std::int64_t numbers,
                                                   TransferTimes* times);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_CALIBRATION_H_
