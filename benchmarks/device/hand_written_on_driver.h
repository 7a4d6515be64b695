// The program of hand_written_program.h on any driver: it does on the stand-in
// what it does on CUDA.
//
// Thread rule: one thread.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_ON_DRIVER_H_
#define SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_ON_DRIVER_H_

#include <memory>

#include "benchmarks/device/hand_written.h"
#include "gpu/driver.h"

namespace syncline {

// `driver` outlives it.
std::unique_ptr<HandWritten> MakeHandWrittenOnDriver(gpu::DeviceDriver* driver);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_ON_DRIVER_H_
