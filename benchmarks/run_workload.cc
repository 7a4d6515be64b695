// Runs one workload once, for a profiler, debugger or tracer to look at:
//
//   perf record -g bazel-bin/benchmarks/run_workload "chain of 10" 1 2000000
//   valgrind --tool=callgrind bazel-bin/benchmarks/run_workload "chain of 10"
//       1 4000
//
// Build it with -c opt; add --copt=-g1 --strip=never to see names of functions.
//
// With --countable it lists the workloads that execute the same instructions in
// each run, for costs.sh: those that need only one thread and do not read the
// clock, apart from those with more nodes than callgrind gets through in
// seconds. A line has the fields workload, threads, packets of a short run,
// packets of a long one, and calls of nodes per packet, with tabs between.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace syncline {
namespace {

bool IsCountable(const Workload& workload, int threads) {
  constexpr int kMostNodes = 10000;
  return threads <= 1 && workload.work_us == 0 && workload.size <= kMostNodes &&
         workload.shape != Shape::kQueuedPacket;
}

void ListCountable() {
  for (const Workload& workload : AllWorkloads()) {
    for (const int threads : workload.threads) {
      if (!IsCountable(workload, threads)) continue;
      std::printf("%s\t%d\t%d\t%d\t%d\n", workload.name.c_str(), threads,
                  static_cast<int>(workload.test_packets),
                  static_cast<int>(5 * workload.test_packets),
                  static_cast<int>(workload.InvocationsPerPacket()));
    }
  }
}

int Run(const Workload& workload, int threads, std::int64_t packets,
        absl::string_view name) {
  const Subjects subjects = MakeSubjects();
  for (const auto& subject : subjects.present) {
    if (subject->name() != name) continue;
    if (!subject->Supports(workload, threads)) break;
    const auto result = subject->Run(workload, threads, packets);
    if (!result.ok()) {
      std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
      return 1;
    }
    std::printf("ns_per_packet %.1f\nns_per_invocation %.1f\n",
                result->ns_per_packet, result->ns_per_invocation);
    for (const Figure& figure : result->figures) {
      std::printf("%s: %.3f\n", figure.name.c_str(), figure.value);
    }
    return 0;
  }
  std::fprintf(stderr, "\"%s\" does not run that\n", std::string(name).c_str());
  return 1;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  if (argc == 2 && absl::string_view(argv[1]) == "--countable") {
    syncline::ListCountable();
    return 0;
  }
  int threads = 0;
  std::int64_t packets = 0;
  const syncline::Workload* const workload =
      argc < 4 ? nullptr : syncline::FindWorkload(argv[1]);
  if (workload == nullptr || !absl::SimpleAtoi(argv[2], &threads) ||
      !absl::SimpleAtoi(argv[3], &packets) || threads < 0 || packets < 1) {
    std::fprintf(stderr,
                 "usage: run_workload WORKLOAD THREADS PACKETS [SUBJECT]\n"
                 "       run_workload --countable\n"
                 "compare --list names the workloads.\n");
    return 2;
  }
  return syncline::Run(*workload, threads, packets,
                       argc > 4 ? argv[4] : "syncline");
}
