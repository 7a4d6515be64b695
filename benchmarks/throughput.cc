// The workloads of compare under Google Benchmark, for its filters, repetitions
// and output formats:
//
//   ./bazelw run -c opt //benchmarks:throughput -- --benchmark_filter=chain
//
// An iteration is a whole run of the workload, so look at the counter and not
// at the time.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmark/benchmark.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace syncline {
namespace {

void RunOnce(benchmark::State& state, Subject* subject,
             const Workload& workload, int threads) {
  double ns_per_packet = 0;
  double ns_per_invocation = 0;
  for (auto _ : state) {
    const auto result = subject->Run(workload, threads, workload.packets);
    if (!result.ok()) {
      state.SkipWithError(result.status().ToString().c_str());
      return;
    }
    ns_per_packet += result->ns_per_packet;
    ns_per_invocation += result->ns_per_invocation;
    state.SetIterationTime(result->ns_per_packet *
                           static_cast<double>(workload.packets) / 1e9);
  }
  state.counters["ns_per_packet"] =
      benchmark::Counter(ns_per_packet, benchmark::Counter::kAvgIterations);
  state.counters["ns_per_invocation"] =
      benchmark::Counter(ns_per_invocation, benchmark::Counter::kAvgIterations);
}

void RegisterAll(const Subjects& subjects) {
  for (const Workload& workload : AllWorkloads()) {
    for (const int threads : workload.threads) {
      for (const auto& subject : subjects.present) {
        if (!subject->Supports(workload, threads)) continue;
        const std::string name =
            absl::StrCat(absl::StrReplaceAll(workload.name, {{" ", "_"}}), "/t",
                         threads, "/", subject->name());
        benchmark::RegisterBenchmark(
            name.c_str(),
            [&workload, threads, one = subject.get()](benchmark::State& state) {
              RunOnce(state, one, workload, threads);
            })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  const syncline::Subjects subjects = syncline::MakeSubjects();
  syncline::RegisterAll(subjects);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
