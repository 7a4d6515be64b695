#include "benchmarks/device/device_benchmark.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "benchmarks/device/calibration.h"
#include "benchmarks/device/hand_written.h"
#include "benchmarks/device/hand_written_on_driver.h"
#include "benchmarks/device/measured_workloads.h"
#include "framework/port/status_macros.h"
#include "gpu/device.h"
#include "gpu/find_device.h"
#include "tools/text_table.h"

namespace syncline {
namespace {

constexpr double kSecondsOfAKernel = 5e-6;

// --- Rows

// `instead` replaces what would be said of the bar.
std::string Verdict(bool is_met, const std::string& instead) {
  if (!instead.empty()) return instead;
  return is_met ? "met" : "missed";
}

DeviceBenchmarkRow CountRow(const std::string& name,
                            absl::optional<std::int64_t> count,
                            const std::string& instead) {
  return {name, count.has_value() ? absl::StrCat(*count) : "", "0",
          Verdict(count == 0, instead)};
}

DeviceBenchmarkRow RatioRow(const MeasuredWorkload& workload,
                            const absl::optional<Measured>& measured,
                            const std::string& instead) {
  DeviceBenchmarkRow row;
  row.name = workload.ratio_name;
  row.bar = absl::StrFormat(
      "%s %.2f", workload.is_throughput ? "at least" : "at most", workload.bar);
  row.verdict = instead;
  if (!measured.has_value()) return row;
  const double ratio = workload.is_throughput
                           ? measured->by_hand / measured->by_graph
                           : measured->by_graph / measured->by_hand;
  row.value = absl::StrFormat("%.3f", ratio);
  row.verdict = Verdict(
      workload.is_throughput ? ratio >= workload.bar : ratio <= workload.bar,
      instead);
  return row;
}

// Nothing measured: `instead` says why.
void AddRows(const MeasuredWorkload& workload,
             const absl::optional<Measured>& measured,
             const std::string& instead,
             std::vector<DeviceBenchmarkRow>* rows) {
  absl::optional<std::int64_t> events;
  absl::optional<std::int64_t> holding_calls;
  if (measured.has_value()) {
    events = measured->events;
    holding_calls = measured->holding_calls;
  }
  rows->push_back(RatioRow(workload, measured, instead));
  if (workload.counts_events) {
    rows->push_back(CountRow("  events recorded in between", events, instead));
  }
  rows->push_back(CountRow("  calls that allocate, free or synchronize",
                           holding_calls, instead));
}

DeviceBenchmark NotMeasured(const std::string& reason) {
  DeviceBenchmark benchmark;
  benchmark.device = absl::StrCat("no device: ", reason);
  for (const MeasuredWorkload& workload :
       MakeMeasuredWorkloads(nullptr, SizesForCuda())) {
    AddRows(workload, absl::nullopt, absl::StrCat("not measured: ", reason),
            &benchmark.rows);
  }
  return benchmark;
}

// Chooses the rounds of the kernels for this device.
absl::Status Calibrate(gpu::DeviceDriver* driver, WorkloadSizes* sizes,
                       std::vector<std::string>* notes) {
  TransferTimes times;
  SYNCLINE_ASSIGN_OR_RETURN(
      const CalibratedRounds transfer,
      CalibrateTransfer(driver, sizes->transfer.numbers, &times));
  sizes->transfer.rounds = transfer.rounds;
  SYNCLINE_ASSIGN_OR_RETURN(const CalibratedRounds chain,
                            CalibrateKernel(driver, sizes->chain.numbers,
                                            kSecondsOfAKernel, /*times=*/500));
  sizes->chain.rounds = chain.rounds;
  notes->push_back(absl::StrFormat(
      "one after another: upload %.3f ms, kernel %.3f ms, download %.3f ms; a "
      "kernel of a chain %.2f us",
      times.upload * 1e3, times.kernel * 1e3, times.download * 1e3,
      chain.seconds * 1e6));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceBenchmark> RunDeviceBenchmark(
    const DeviceBenchmarkOptions& options) {
  if (options.repetitions < 1) {
    return absl::InvalidArgumentError("repetitions: give 1 or more");
  }
  const absl::StatusOr<gpu::FoundDevice> found =
      gpu::FindDevice(options.device);
  if (absl::IsInvalidArgument(found.status())) return found.status();
  if (!found.ok()) return NotMeasured(std::string(found.status().message()));
  const std::shared_ptr<gpu::Device> device = found->device;
  const bool is_stand_in = absl::StartsWith(device->name(), "stand_in");
  const std::unique_ptr<HandWritten> by_hand =
      is_stand_in ? MakeHandWrittenOnDriver(&device->driver())
                  : MakeHandWrittenForCuda(device->info().index);
  if (by_hand == nullptr) {
    return NotMeasured("this program was built without CUDA");
  }
  DeviceBenchmark benchmark;
  benchmark.device = found->text;
  WorkloadSizes sizes = is_stand_in ? SizesForStandIn() : SizesForCuda();
  if (is_stand_in) {
    benchmark.notes.push_back(
        "packets are small and kernels of one round: all code runs, and no "
        "value means anything");
  } else {
    SYNCLINE_RETURN_IF_ERROR(
        Calibrate(&device->driver(), &sizes, &benchmark.notes));
  }
  for (const MeasuredWorkload& workload :
       MakeMeasuredWorkloads(device, sizes)) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const Measured measured,
        Measure(workload, by_hand.get(), options.repetitions, is_stand_in));
    AddRows(workload, measured, is_stand_in ? "stand-in: no measurement" : "",
            &benchmark.rows);
    benchmark.notes.push_back(absl::StrFormat(
        "%s: by hand %.3f ms, graph %.3f ms; calls: %s", workload.name,
        measured.by_hand * 1e3, measured.by_graph * 1e3, measured.calls));
  }
  return benchmark;
}

std::string DeviceBenchmarkText(const DeviceBenchmark& benchmark) {
  std::vector<std::vector<std::string>> rows = {{"what", "value", "bar", ""}};
  for (const DeviceBenchmarkRow& row : benchmark.rows) {
    rows.push_back({row.name, row.value, row.bar, row.verdict});
  }
  std::string text = absl::StrCat(benchmark.device, "\n\n", TextTable(rows));
  if (!benchmark.notes.empty()) {
    absl::StrAppend(&text, "\n", absl::StrJoin(benchmark.notes, "\n"), "\n");
  }
  return text;
}

}  // namespace syncline
