// The workloads of the benchmark as graphs, on any device.
//
//   transfer   TensorCopierCalculator -> kernel -> TensorCopierCalculator ->
//              a node that waits by CudaStreamCondition; memory of pools
//   chain      a node for each kernel
//
// The nodes are on streams of their own where the workload changes the stream,
// and else on that of their input. CALLS are counted from the first measured
// packet until the last has arrived, or until all work is submitted.
//
// Thread rule: free functions, one at a time for a device: they count all that
// it does.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_GRAPH_RUNS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_GRAPH_RUNS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "benchmarks/device/workloads.h"
#include "gpu/device.h"
#include "gpu/runtime_calls.h"

namespace syncline {

struct DeviceGraphRun {
  DeviceRun run;
  // What the device was asked for while packets were measured.
  gpu::DeviceCounters counters;
  // The calls of the CUDA runtime meanwhile; none on the stand-in.
  gpu::RuntimeCallCounts calls;
};

// The errors of the graph and of the device.
absl::StatusOr<DeviceGraphRun> RunTransferGraph(
    const std::shared_ptr<gpu::Device>& device, const TransferWorkload& work);
// A chain that changes its stream more than once takes streams of the
// application's, since nodes have no stream in common with one that is not
// beside them.
absl::StatusOr<DeviceGraphRun> RunChainGraph(
    const std::shared_ptr<gpu::Device>& device, const ChainWorkload& work);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_GRAPH_RUNS_H_
