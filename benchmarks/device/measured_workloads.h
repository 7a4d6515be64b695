// The workloads of the benchmark as they are measured: both sides in turn, with
// results that are checked.
//
// Thread rule: free functions, one at a time.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_MEASURED_WORKLOADS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_MEASURED_WORKLOADS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/device/graph_runs.h"
#include "benchmarks/device/hand_written.h"
#include "benchmarks/device/workloads.h"
#include "gpu/device.h"

namespace syncline {

struct WorkloadSizes {
  TransferWorkload transfer;
  // Without the streams of its kernels.
  ChainWorkload chain;
};

// Some tenths of a second for each run on a GPU. The rounds of the kernels are
// the caller's to choose.
WorkloadSizes SizesForCuda();
// Enough to run all code.
WorkloadSizes SizesForStandIn();

struct MeasuredWorkload {
  std::string name;
  std::string ratio_name;
  // Whether the ratio is of throughputs, which has to be at least `bar`, or of
  // times, which has to be at most `bar`.
  bool is_throughput = false;
  double bar = 1;
  // Whether no event may be recorded.
  bool counts_events = false;
  std::function<std::string(HandWritten*, DeviceRun*)> by_hand;
  std::function<absl::StatusOr<DeviceGraphRun>()> by_graph;
  // What has to come out.
  std::function<std::uint32_t(std::int64_t i)> expected;
  std::int64_t numbers = 0;
};

// The transfer, and the chain on one stream, on two by halves, and on two in
// turn.
std::vector<MeasuredWorkload> MakeMeasuredWorkloads(
    const std::shared_ptr<gpu::Device>& device, const WorkloadSizes& sizes);

struct Measured {
  // Seconds, the medians of both sides.
  double by_hand = 0;
  double by_graph = 0;
  // Of the graph, the greatest of all runs: events, and calls that allocate,
  // free, or make the host wait.
  std::int64_t events = 0;
  std::int64_t holding_calls = 0;
  // Of the last run, by name.
  std::string calls;
};

// The stand-in has no runtime that is called: what its device was asked for is
// counted. The errors of both sides; INTERNAL where a result is wrong.
absl::StatusOr<Measured> Measure(const MeasuredWorkload& workload,
                                 HandWritten* by_hand, int repetitions,
                                 bool is_stand_in);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_MEASURED_WORKLOADS_H_
