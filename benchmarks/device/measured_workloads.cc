#include "benchmarks/device/measured_workloads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_macros.h"
#include "gpu/runtime_calls.h"

namespace syncline {
namespace {

constexpr std::size_t kKernelsOfAChain = 10;

// The streams of the kernels: all on one, half on each, and in turn.
std::vector<int> OneStream() { return std::vector<int>(kKernelsOfAChain, 0); }
std::vector<int> HalfOnEach() {
  std::vector<int> streams(kKernelsOfAChain, 1);
  std::fill_n(streams.begin(), kKernelsOfAChain / 2, 0);
  return streams;
}
std::vector<int> InTurn() {
  std::vector<int> streams;
  for (std::size_t k = 0; k < kKernelsOfAChain; ++k) {
    streams.push_back(static_cast<int>(k % 2));
  }
  return streams;
}

MeasuredWorkload MakeTransfer(const std::shared_ptr<gpu::Device>& device,
                              const TransferWorkload& work) {
  return {
      .name = "transfer",
      .ratio_name = "32 MB up, kernel, down: throughput / by hand",
      .is_throughput = true,
      .bar = 0.95,
      .by_hand = [work](
                     HandWritten* program,
                     DeviceRun* run) { return program->Transfer(work, run); },
      .by_graph = [device, work] { return RunTransferGraph(device, work); },
      .expected = [work](std::int64_t i) { return TransferResult(work, i); },
      .numbers = work.numbers};
}

MeasuredWorkload MakeChain(const std::shared_ptr<gpu::Device>& device,
                           ChainWorkload work, std::vector<int> streams,
                           const std::string& name, double bar) {
  work.stream_of_kernel = std::move(streams);
  return {
      .name = name,
      .ratio_name = absl::StrCat(name, ": time / by hand"),
      .bar = bar,
      .by_hand = [work](HandWritten* program,
                        DeviceRun* run) { return program->Chain(work, run); },
      .by_graph = [device, work] { return RunChainGraph(device, work); },
      .expected = [work](std::int64_t i) { return ChainResult(work, i); },
      .numbers = work.numbers};
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Calls that allocate, free, or make the host wait. The stand-in has no
// runtime: what its device was asked for.
std::int64_t HoldingCalls(const DeviceGraphRun& run, bool is_stand_in) {
  using gpu::RuntimeCall;
  if (is_stand_in) {
    return run.counters.allocations + run.counters.frees +
           run.counters.host_waits;
  }
  return run.calls[RuntimeCall::kAllocate] + run.calls[RuntimeCall::kFree] +
         run.calls[RuntimeCall::kAllocateAsync] +
         run.calls[RuntimeCall::kFreeAsync] +
         run.calls[RuntimeCall::kSynchronize];
}

std::string CallsText(const DeviceGraphRun& run, bool is_stand_in) {
  if (!is_stand_in) return run.calls.ToString();
  return absl::StrCat("work ", run.counters.works_submitted, ", record event ",
                      run.counters.events_recorded, ", wait for event ",
                      run.counters.waits_submitted, ", allocate ",
                      run.counters.allocations, ", free ", run.counters.frees,
                      ", synchronize ", run.counters.host_waits);
}

absl::Status CheckResult(const MeasuredWorkload& workload, const char* side,
                         const DeviceRun& run) {
  const std::uint32_t first = workload.expected(0);
  const std::uint32_t last = workload.expected(workload.numbers - 1);
  if (run.first == first && run.last == last) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      workload.name, ", ", side, ": the last packet is ", run.first, " ... ",
      run.last, " and should be ", first, " ... ", last));
}

}  // namespace

WorkloadSizes SizesForCuda() {
  return {.transfer = {.numbers = std::int64_t{8} << 20,  // 32 MB
                       .in_flight = 4,
                       .warm_up = 50,
                       .packets = 300},
          .chain = {.numbers = 1 << 16, .warm_up = 500, .packets = 3000}};
}
// Enough to run all code. No buffer may be missing in the steady state, so the
// packets before it are as many.
WorkloadSizes SizesForStandIn() {
  return {.transfer = {.numbers = 1000,
                       .in_flight = 4,
                       .warm_up = 20,
                       .packets = 20},
          .chain = {.numbers = 100, .warm_up = 20, .packets = 20}};
}

std::vector<MeasuredWorkload> MakeMeasuredWorkloads(
    const std::shared_ptr<gpu::Device>& device, const WorkloadSizes& sizes) {
  std::vector<MeasuredWorkload> workloads;
  workloads.push_back(MakeTransfer(device, sizes.transfer));
  workloads.push_back(MakeChain(device, sizes.chain, OneStream(),
                                "chain of 10, one stream", 1.05));
  workloads.back().counts_events = true;
  workloads.push_back(MakeChain(device, sizes.chain, HalfOnEach(),
                                "chain of 10, two streams by halves", 1.15));
  workloads.push_back(MakeChain(device, sizes.chain, InTurn(),
                                "chain of 10, two streams in turn", 1.15));
  return workloads;
}

absl::StatusOr<Measured> Measure(const MeasuredWorkload& workload,
                                 HandWritten* by_hand, int repetitions,
                                 bool is_stand_in) {
  Measured measured;
  std::vector<double> hand_times;
  std::vector<double> graph_times;
  for (int i = 0; i < repetitions; ++i) {
    DeviceRun hand_run;
    const std::string error = workload.by_hand(by_hand, &hand_run);
    if (!error.empty()) {
      return absl::InternalError(absl::StrCat(workload.name, ": ", error));
    }
    SYNCLINE_RETURN_IF_ERROR(CheckResult(workload, "by hand", hand_run));
    hand_times.push_back(hand_run.seconds);
    SYNCLINE_ASSIGN_OR_RETURN(const DeviceGraphRun run, workload.by_graph(),
                              _.SetPrepend() << workload.name << ": ");
    SYNCLINE_RETURN_IF_ERROR(CheckResult(workload, "by graph", run.run));
    graph_times.push_back(run.run.seconds);
    measured.events = std::max(measured.events, run.counters.events_recorded);
    measured.holding_calls =
        std::max(measured.holding_calls, HoldingCalls(run, is_stand_in));
    measured.calls = CallsText(run, is_stand_in);
  }
  measured.by_hand = MedianOf(std::move(hand_times));
  measured.by_graph = MedianOf(std::move(graph_times));
  return measured;
}

}  // namespace syncline
