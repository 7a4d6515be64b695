// What graphs cost on a device, beside a program that an expert writes by hand.
//
//   ./bazelw run -c opt //benchmarks:gpu
//
// The rows are in docs/performance.md. Without a device each says that it was
// not measured, and why.

#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/device/device_benchmark.h"
#include "glog/logging.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"

ABSL_FLAG(std::string, device, "cuda:0", "the device");
ABSL_FLAG(int, repetitions, 9, "how often each side runs");

namespace syncline {
namespace {

constexpr char kProgram[] = "gpu";
constexpr char kUsage[] =
    "What graphs cost on a device, beside a program that is written by hand.\n"
    "\n"
    "usage: gpu [--device=NAME] [--repetitions=N]\n"
    "\n"
    "  --device=NAME       cuda:0, the default, or another one. On stand_in "
    "the\n"
    "                      same code runs, and its values are no measurement\n"
    "  --repetitions=N     how often each side runs, in turn; 9 by default. "
    "The\n"
    "                      rows are of medians\n"
    "\n"
    "Without the device each row says \"not measured\", with the reason. Exit\n"
    "status: 0, also if a bar is missed; 1 if a run fails or its result is\n"
    "wrong; 2 if the command line is wrong.\n";

int Main() {
#ifndef NDEBUG
  std::cerr << "gpu: built without -c opt; the figures mean nothing\n";
#endif
  const absl::StatusOr<DeviceBenchmark> benchmark =
      RunDeviceBenchmark({.device = absl::GetFlag(FLAGS_device),
                          .repetitions = absl::GetFlag(FLAGS_repetitions)});
  if (!benchmark.ok()) {
    return Fail(
        kProgram,
        absl::IsInvalidArgument(benchmark.status()) ? kUsageIsWrong : kFailed,
        benchmark.status().message());
  }
  std::cout << DeviceBenchmarkText(*benchmark) << std::flush;
  return std::cout ? 0 : kFailed;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging(argv[0]);
  if (syncline::WantsHelp(argc, argv)) {
    std::cout << syncline::kUsage;
    return 0;
  }
  const absl::Status checked = syncline::CheckFlags(
      std::vector<std::string>(argv, argv + argc), {"device", "repetitions"});
  if (!checked.ok()) {
    return syncline::Fail(syncline::kProgram, syncline::kUsageIsWrong,
                          checked.message());
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return syncline::Fail(
        syncline::kProgram, syncline::kUsageIsWrong,
        std::string("unexpected argument \"") + rest[1] + "\"");
  }
  return syncline::Main();
}
