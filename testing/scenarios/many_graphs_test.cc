// Graphs by the thousand in one process: made, run and destroyed in every way.
// Threads, file descriptors and memory are the same afterwards.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/substitute.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

std::int64_t EntriesOf(const char* folder) {
  const std::filesystem::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}
std::int64_t Threads() { return EntriesOf("/proc/self/task"); }
std::int64_t Files() { return EntriesOf("/proc/self/fd"); }
std::int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// A thread that was joined is in the list for a moment.
void ExpectThreads(std::int64_t expected) {
  for (int i = 0; i < 1000 && Threads() > expected; ++i) usleep(1000);
  EXPECT_EQ(Threads(), expected);
}

// A sanitizer's own thread begins with the first one of the process.
std::int64_t ThreadsAtRest() {
  static const std::int64_t at_rest = [] {
    std::int64_t threads = 0;
    std::thread([&] { threads = Threads() - 1; }).join();
    return threads;
  }();
  return at_rest;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// They keep what was freed, have a thread of their own, and are slow.
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

// With one number of threads; many_graphs_long_test sets another.
int NumGraphs() {
  const char* const given = std::getenv("SYNCLINE_GRAPHS");
  int number = 0;
  return given != nullptr && absl::SimpleAtoi(given, &number) ? number : 800;
}

constexpr char kGraph[] = R"pb(
  input_stream: "in"
  node { calculator: "SumCalculator" input_stream: "in" output_stream: "a" }
  node {
    calculator: "FaultyCalculator"
    input_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] { fault: $0 fault_at: 3 }
    }
  }
  node {
    calculator: "SumCalculator"
    input_stream: "a"
    input_stream: "b"
    output_stream: "out"
  })pb";

// What is counted are threads and memory; a seed has no others than the
// application's thread has.
class ManyGraphsTest : public WorkersTest {
 protected:
  ManyGraphsTest()
      : well_(Config("NONE")), failing_(Config("STATUS")), bad_(well_) {
    bad_.mutable_node(0)->set_calculator("NoSuchCalculator");
  }

  // What one graph goes through; `way` chooses.
  void Live(int way) {
    CalculatorGraph graph;
    if (way == 0) return;
    const bool is_bad = way == 1;
    const bool fails = way == 2;
    EXPECT_EQ(graph.Initialize(is_bad  ? bad_
                               : fails ? failing_
                                       : well_)
                  .ok(),
              !is_bad);
    if (way == 1 || way == 3) return;  // never run
    auto poller = graph.AddOutputStreamPoller("out");
    SYNCLINE_ASSERT_OK(poller.status());
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    if (way == 4) return;  // destroyed at once
    for (int i = 0; i < 5; ++i) {
      const absl::Status added = graph.AddPacketToInputStream(
          "in", MakeCounted<int>(i).At(Timestamp(i)));
      EXPECT_TRUE(added.ok() || fails) << added;
    }
    if (way == 5) return;  // in mid-run
    if (way == 6) graph.Cancel();
    if (way == 7) {
      SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
      return;
    }
    SYNCLINE_EXPECT_OK(graph.CloseAllInputStreams());
    EXPECT_EQ(graph.WaitUntilDone().ok(), way >= 8);
  }

 private:
  static CalculatorGraphConfig Config(const std::string& fault) {
    auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(
        absl::Substitute(kGraph, fault));
    if (GetParam().is_application_thread()) {
      config.add_executor()->set_type("ApplicationThreadExecutor");
    } else {
      config.set_num_threads(GetParam().threads);
    }
    return config;
  }

  CalculatorGraphConfig well_;
  CalculatorGraphConfig failing_;
  CalculatorGraphConfig bad_;
};
SYNCLINE_TEST_WITH_THREADS(ManyGraphsTest);

constexpr int kWays = 10;

TEST_P(ManyGraphsTest, LeaveNothingBehindWhateverTheyWentThrough) {
  // Threads are the price of a graph, not of its life.
  const int graphs =
      NumGraphs() / (GetParam().threads > 2 ? 8 : 1) / (kIsSanitized ? 2 : 1);
  const std::int64_t threads = ThreadsAtRest();
  for (int i = 0; i < 10 * kWays; ++i) Live(i % kWays);
  ExpectThreads(threads);
  const std::int64_t files = Files();
  const std::int64_t bytes = ResidentBytes();
  for (int i = 0; i < graphs; ++i) Live(i % kWays);
  ExpectThreads(threads);
  EXPECT_EQ(Files(), files);
  // A graph of this size takes some 20 kB; if those of one way stayed, it would
  // be more than this.
  if (!kIsSanitized) {
    EXPECT_LT(ResidentBytes() - bytes, 1 << 19);
  }
}

TEST_P(ManyGraphsTest, ManyAtATime) {
  if (GetParam().threads > 2) GTEST_SKIP() << "a thousand threads";
  const std::int64_t threads = ThreadsAtRest();
  std::vector<std::unique_ptr<GraphHarness>> graphs;
  constexpr int kGraphs = 50;
  for (int i = 0; i < kGraphs; ++i) {
    graphs.push_back(std::make_unique<GraphHarness>(
        "input_stream: 'in' node { calculator: 'SumCalculator' "
        "input_stream: 'in' output_stream: 'out' }",
        GetParam()));
    SYNCLINE_ASSERT_OK(graphs.back()->Start());
  }
  for (int t = 0; t < 3; ++t) {
    for (const auto& graph : graphs) graph->Feed("in", {{t, t}});
  }
  // A third is destroyed while it runs.
  for (int i = 0; i < kGraphs; i += 3) graphs[i].reset();
  for (const auto& graph : graphs) {
    if (graph == nullptr) continue;
    SYNCLINE_EXPECT_OK(graph->Finish());
    graph->Expect("out", {{0, 0}, {1, 1}, {2, 2}});
  }
  graphs.clear();
  ExpectThreads(threads);
}

TEST_P(ManyGraphsTest, RunsOfOneGraphLeaveNothingBehind) {
  GraphHarness graph(
      "input_stream: 'in' node { calculator: 'SumCalculator' "
      "input_stream: 'in' output_stream: 'out' }",
      GetParam());
  graph.Feed("in", {{0, 1}, {1, 2}});
  std::int64_t bytes = 0;
  std::int64_t threads = 0;
  const int runs = 2 * NumGraphs() / (kIsSanitized ? 3 : 1);
  for (int run = 0; run < runs; ++run) {
    if (run == 300) {
      bytes = ResidentBytes();
      threads = Threads();  // the harness keeps its pool
    }
    SYNCLINE_ASSERT_OK(graph.Run());
  }
  ExpectThreads(threads);
  if (!kIsSanitized) {
    EXPECT_LT(ResidentBytes() - bytes, 1 << 19);
  }
}

}  // namespace
}  // namespace syncline
