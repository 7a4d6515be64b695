// What the benchmark of devices measures, row by row: graphs beside the program
// that an expert writes by hand (hand_written.h), in turn, several times, and
// the medians of both.
//
// On the stand-in the same code runs, and the rows say that their values are no
// measurement. Without the device that was asked for each row says so.
//
// Thread rule: free functions, one at a time.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_DEVICE_BENCHMARK_H_
#define SYNCLINE_BENCHMARKS_DEVICE_DEVICE_BENCHMARK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

struct DeviceBenchmarkOptions {
  // As of run_graph --device.
  std::string device = "cuda:0";
  // How often each side runs.
  int repetitions = 9;
};

// One of its lines. Empty texts where nothing was measured.
struct DeviceBenchmarkRow {
  std::string name;
  std::string value;
  std::string bar;
  // "met", "missed", "stand-in: no measurement", or "not measured" with
  // the reason.
  std::string verdict;
};

struct DeviceBenchmark {
  // Which device, or that there is none.
  std::string device;
  std::vector<DeviceBenchmarkRow> rows;
  // What was measured besides: the parts of a transfer, and the calls by name.
  std::vector<std::string> notes;
};

// INVALID_ARGUMENT for what is no name of a device and for no repetitions; the
// errors of runs, and INTERNAL where a result is wrong. A device that is not
// there is no error.
absl::StatusOr<DeviceBenchmark> RunDeviceBenchmark(
    const DeviceBenchmarkOptions& options);

// As lines for a terminal.
std::string DeviceBenchmarkText(const DeviceBenchmark& benchmark);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_DEVICE_BENCHMARK_H_
