// All tests of devices, and their benchmark, in one program.
//
//   ./bazelw build --config=portable //testing/gpu:gpu_tests
//
// It needs glibc 2.36 and a driver, and nothing else: copy the one file to a
// machine with a device and start it. Tests of what is not there skip and say
// so; the benchmark says that it was not measured. A table at the end has both.

#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "benchmarks/device/device_benchmark.h"
#include "glog/logging.h"
#include "gtest/gtest.h"
#include "testing/gpu/test_table.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr char kProgram[] = "gpu_tests";
constexpr char kUsage[] =
    "All tests of devices, and their benchmark.\n"
    "\n"
    "usage: gpu_tests [--device=NAME] [--repetitions=N] [--gtest_...]\n"
    "\n"
    "  --device=NAME     of the benchmark: cuda:0, the default, or another "
    "one.\n"
    "                    On stand_in its values are no measurement\n"
    "  --repetitions=N   how often each side of the benchmark runs; 9 by\n"
    "                    default. 0 leaves the benchmark out\n"
    "  --gtest_help      the flags for the tests, such as\n"
    "                    --gtest_filter='CudaDevice*'\n"
    "\n"
    "At the end there is a table of the tests, one of the benchmark, and a "
    "line\n"
    "of sums. Exit status: 0; 1 if a test or the benchmark fails; 2 if the\n"
    "command line is wrong. A bar that is missed is no failure.\n";

// Fills the table.
class TableListener : public ::testing::EmptyTestEventListener {
 public:
  explicit TableListener(TestTable* table) : table_(table) {}

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (part.skipped()) reason_ = part.summary();
  }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const ::testing::TestResult& result = *test.result();
    table_->Add(test.file(),
                result.Skipped()  ? TestOutcome::kSkipped
                : result.Passed() ? TestOutcome::kPassed
                                  : TestOutcome::kFailed,
                reason_, static_cast<double>(result.elapsed_time()));
    reason_.clear();
  }

 private:
  TestTable* const table_;
  std::string reason_;
};

// Reads the flags that googletest has left.
absl::Status ReadFlags(const std::vector<std::string>& arguments,
                       DeviceBenchmarkOptions* options) {
  for (const std::string& argument : arguments) {
    absl::string_view value = argument;
    if (absl::ConsumePrefix(&value, "--device=")) {
      options->device = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--repetitions=")) {
      if (!absl::SimpleAtoi(value, &options->repetitions) ||
          options->repetitions < 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("\"", argument, "\": give a number from 0 on"));
      }
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "there is no flag \"", argument, "\"; --help lists them"));
    }
  }
  return absl::OkStatus();
}

int RunAll(const DeviceBenchmarkOptions& options) {
  TestTable table;
  // googletest deletes it.
  ::testing::UnitTest::GetInstance()->listeners().Append(
      new TableListener(&table));
  const bool tests_passed = RUN_ALL_TESTS() == 0;
  std::string benchmark_text;
  absl::Status benchmark_status;
  if (options.repetitions > 0) {
    const absl::StatusOr<DeviceBenchmark> benchmark =
        RunDeviceBenchmark(options);
    benchmark_status = benchmark.status();
    if (benchmark.ok()) benchmark_text = DeviceBenchmarkText(*benchmark);
  }
  std::cout << "\n" << benchmark_text << "\n" << table.ToText() << std::flush;
  if (!benchmark_status.ok()) {
    return Fail(
        kProgram,
        absl::IsInvalidArgument(benchmark_status) ? kUsageIsWrong : kFailed,
        benchmark_status.message());
  }
  return tests_passed && std::cout ? 0 : kFailed;
}

int Main(int argc, char** argv) {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging(argv[0]);
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument != "--help" && argument != "-h") continue;
    std::cout << kUsage;
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  DeviceBenchmarkOptions options;
  const absl::Status read =
      ReadFlags(std::vector<std::string>(argv + 1, argv + argc), &options);
  if (!read.ok()) return Fail(kProgram, kUsageIsWrong, read.message());
  return RunAll(options);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) { return syncline::Main(argc, argv); }
