// Compares the engine with the reference run on any number of random graphs:
//
//   ./bazelw run -c opt //testing:oracle_soak -- --seeds=100000
//
// Prints what differs, and goes on; the exit code says whether anything did.
// With --shrink the graph is made small first. --seed=N runs one seed, with
// --print it also prints the graph. --case=FILE runs a graph that was printed.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"

ABSL_FLAG(std::uint64_t, seeds, 100000, "How many graphs.");
ABSL_FLAG(std::uint64_t, first_seed, 0, "The first seed.");
ABSL_FLAG(std::int64_t, seed, -1, "Only this seed, with all thread counts.");
ABSL_FLAG(int, threads, -1,
          "Threads; 0 for the application's. -1: several in turn.");
ABSL_FLAG(int, repeat, 1, "How often each graph is run.");
ABSL_FLAG(int, max_failures, 10, "Stops after so many.");
ABSL_FLAG(bool, shrink, false, "Makes graphs that fail small.");
ABSL_FLAG(std::string, case, "", "A file with a graph as it was printed.");
ABSL_FLAG(bool, print, false, "With --seed or --case: prints the graph.");

namespace syncline {
namespace {

absl::Status Repeat(const RandomCase& random_case, int threads) {
  for (int i = 0; i < absl::GetFlag(FLAGS_repeat); ++i) {
    absl::Status status = CompareWithOracle(random_case, threads);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// OK, or prints what differs.
bool Check(const RandomCase& random_case, int threads) {
  absl::Status status = Repeat(random_case, threads);
  if (status.ok()) return true;
  if (absl::GetFlag(FLAGS_shrink)) {
    // Only what is wrong in the same way counts, not a case that is not valid.
    const auto fails = [&](const RandomCase& smaller) {
      return absl::IsInternal(Repeat(smaller, threads));
    };
    status = Repeat(ShrinkRandomCase(random_case, fails), threads);
    if (status.ok()) status = Repeat(random_case, threads);
  }
  std::cout << status.message() << std::endl;
  return false;
}

absl::StatusOr<RandomCase> ReadCase(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(path);
  return ReadRandomCase(std::string(std::istreambuf_iterator<char>(file), {}));
}

int Main() {
  static constexpr int kThreads[] = {0, 1, 2, 8};
  const int threads = absl::GetFlag(FLAGS_threads);
  int failures = 0;
  const bool has_case = !absl::GetFlag(FLAGS_case).empty();
  if (has_case || absl::GetFlag(FLAGS_seed) >= 0) {
    const absl::StatusOr<RandomCase> random_case =
        has_case ? ReadCase(absl::GetFlag(FLAGS_case))
                 : MakeRandomCase(absl::GetFlag(FLAGS_seed));
    if (!random_case.ok()) {
      std::cerr << random_case.status() << std::endl;
      return 2;
    }
    if (absl::GetFlag(FLAGS_print)) std::cout << RandomCaseText(*random_case);
    for (const int each : kThreads) {
      if (threads >= 0 && each != threads) continue;
      if (!Check(*random_case, each)) ++failures;
    }
    return failures > 0;
  }
  const std::uint64_t first = absl::GetFlag(FLAGS_first_seed);
  const std::uint64_t count = absl::GetFlag(FLAGS_seeds);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t seed = first + i;
    if (!Check(MakeRandomCase(seed),
               threads >= 0 ? threads : kThreads[seed % 4]) &&
        ++failures >= absl::GetFlag(FLAGS_max_failures)) {
      break;
    }
    if ((i + 1) % 1000 == 0) {
      std::cout << i + 1 << " of " << count << " graphs, " << failures
                << " differ" << std::endl;
    }
  }
  return failures > 0;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return syncline::Main();
}
