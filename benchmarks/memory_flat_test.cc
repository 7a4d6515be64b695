// Memory stays flat: a graph that has run for long needs no more memory than
// one that has run for a short time.
//
//   ./bazelw test -c opt //benchmarks:memory_flat_test
//       --test_env=SYNCLINE_PACKETS=100000000
//
// A run of that many packets takes minutes; without the variable, the test
// sends a million. It reads the resident set of the process while the graph
// runs, after a tenth of the packets and at the end, and compares the two.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "benchmarks/graph_calculators.h"
#include "benchmarks/graph_configs.h"
#include "benchmarks/workload.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/status_matchers.h"

namespace syncline {
namespace {

constexpr double kTolerance = 1 << 20;

std::int64_t Packets() {
  const char* const given = std::getenv("SYNCLINE_PACKETS");
  return given == nullptr ? 1000000 : std::atoll(given);
}

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

class MemoryFlatTest : public ::testing::TestWithParam<int> {};

TEST_P(MemoryFlatTest, AGraphThatRunsLongHoldsNoMore) {
  const Workload workload{
      .name = "fan-out", .shape = Shape::kFanOut, .size = 2};
  const int threads = GetParam();
  BenchmarkState state;
  state.packets = Packets();
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(MakeGraphConfig(workload, threads)));
  double early = 0;
  std::int64_t seen = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("b0", [&](const Packet&) {
    if (++seen == state.packets / 10) early = ResidentBytes();
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(
      graph.Run({{"state", MakePacket<BenchmarkState*>(&state)}}));
  EXPECT_EQ(state.delivered.load(), state.packets);
  ASSERT_GT(early, 0);
  EXPECT_LE(ResidentBytes() - early, kTolerance);
  RecordProperty("early", std::to_string(early));
  RecordProperty("late", std::to_string(ResidentBytes()));
}

INSTANTIATE_TEST_SUITE_P(Threads, MemoryFlatTest, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace syncline
