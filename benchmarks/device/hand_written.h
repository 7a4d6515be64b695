// HandWritten: the workloads as an expert writes them who has no graph: all
// memory taken before, pinned memory on the host, a stream for each direction
// and one for kernels, events, and a host that submits and never waits.
//
//   one for CUDA      hand_written_cuda.cu, where there is a toolkit
//   one for a driver  hand_written_on_driver.h, for the stand-in
//
// Read by nvcc, too: no Abseil.
//
// Thread rule: one thread.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_H_
#define SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_H_

#include <memory>
#include <string>

#include "benchmarks/device/workloads.h"

namespace syncline {

class HandWritten {
 public:
  virtual ~HandWritten() = default;

  // Returns why it failed; empty if it has not.
  virtual std::string Transfer(const TransferWorkload& work,
                               DeviceRun* result) = 0;
  virtual std::string Chain(const ChainWorkload& work, DeviceRun* result) = 0;
};

// On this CUDA device. Null in a build without CUDA.
std::unique_ptr<HandWritten> MakeHandWrittenForCuda(int device);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_H_
