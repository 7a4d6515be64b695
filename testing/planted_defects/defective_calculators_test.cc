// Each mistake of a calculator is found by exploration or by the oracle, and
// told in a few steps; the same graph without the mistake passes both.

#include "testing/planted_defects/defective_calculators.h"

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/graph_oracle.h"
#include "testing/planted_defects/exploration_report.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

struct Defect {
  const char* name;
  // A graph with inputs "a" and "b"; $0 is the one or the other.
  const char* graph;
  const char* defect;
  const char* sound;

  friend void PrintTo(const Defect& defect, std::ostream* out) {
    *out << defect.name;
  }
};

// One node at each input.
constexpr char kTwoNodes[] = R"pb(
  node { calculator: "$0" input_stream: "a" output_stream: "c" }
  node { calculator: "$0" input_stream: "b" output_stream: "d" })pb";
constexpr char kParallelNode[] = R"pb(
  node {
    calculator: "PlantedMemoryCalculator"
    input_stream: "a"
    output_stream: "c"
    max_in_flight: $0
  })pb";
constexpr char kJoin[] = R"pb(
  node {
    calculator: "PlantedArrivalCalculator"
    input_stream: "a"
    input_stream: "b"
    output_stream: "c"
    input_stream_handler { input_stream_handler: "$0" }
  })pb";

constexpr Defect kExplored[] = {
    {"HiddenGlobal", kTwoNodes, "PlantedGlobalCalculator",
     "PlantedMemoryCalculator"},
    {"MemoryOfAParallelNode", kParallelNode, "3", "1"},
    {"SumInTheOrderOfArrival", kJoin, "ImmediateInputStreamHandler",
     "DefaultInputStreamHandler"},
    {"PacketsForBounds", kTwoNodes, "PlantedBoundCalculator", "SumCalculator"},
};
constexpr Defect kAcrossRuns = {"StateAcrossRuns", kTwoNodes,
                                "PlantedLeftoverCalculator",
                                "PlantedMemoryCalculator"};
constexpr Defect kOfTheThread = {"ValueOfTheThread", kTwoNodes,
                                 "PlantedThreadCalculator", "SumCalculator"};

CalculatorGraphConfig Graph(const Defect& defect, const char* part) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(
      absl::Substitute(defect.graph, part));
  config.add_input_stream("a");
  config.add_input_stream("b");
  return config;
}

ScheduleInputs Inputs() {
  const auto packet = [](int value, int time) {
    return MakePacket<int>(value).At(Timestamp(time));
  };
  ScheduleInputs inputs;
  inputs.streams["a"] = {packet(1, 0), packet(2, 10),
                         Packet().At(Timestamp(20)),
                         Packet().At(Timestamp(30))};
  inputs.streams["b"] = {packet(3, 0), packet(4, 15)};
  return inputs;
}

absl::Status ExploreGraph(const CalculatorGraphConfig& config,
                          int schedules = 1000, int first_seed = 1) {
  ExploreOptions options;
  options.schedules = schedules;
  options.first_seed = first_seed;
  // A test that knows of the global resets it.
  options.before_run = [] { PlantedGlobal() = 0; };
  return ExploreSchedules(config, Inputs(), options);
}

class DefectiveCalculatorsTest : public testing::TestWithParam<Defect> {};
INSTANTIATE_TEST_SUITE_P(All, DefectiveCalculatorsTest,
                         testing::ValuesIn(kExplored),
                         [](const testing::TestParamInfo<Defect>& info) {
                           return std::string(info.param.name);
                         });

TEST_P(DefectiveCalculatorsTest, ExplorationFindsTheMistake) {
  const CalculatorGraphConfig graph = Graph(GetParam(), GetParam().defect);
  const absl::Status status = ExploreGraph(graph);
  ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_GE(ShrunkSteps(status), 1) << status;
  EXPECT_LT(ShrunkSteps(status), 20) << status;
  // The seed that it names is enough to find it again.
  const int seed = DifferingSeed(status);
  ASSERT_GE(seed, 1) << status;
  EXPECT_EQ(ExploreGraph(graph, /*schedules=*/1, seed), status);
}

TEST_P(DefectiveCalculatorsTest, WithoutTheMistakeNothingIsFound) {
  const CalculatorGraphConfig sound = Graph(GetParam(), GetParam().sound);
  SYNCLINE_EXPECT_OK(ExploreGraph(sound));
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(sound, Inputs()));
}

TEST(DefectiveCalculatorTest, ExplorationFindsWhatARunLeavesToTheNext) {
  const absl::Status status =
      ExploreGraph(Graph(kAcrossRuns, kAcrossRuns.defect));
  ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.ToString(),
              testing::HasSubstr("two runs with the same schedule, seed 0"));
  EXPECT_EQ(ShrunkSteps(status), 0) << status;
  SYNCLINE_EXPECT_OK(ExploreGraph(Graph(kAcrossRuns, kAcrossRuns.sound)));
}

TEST(DefectiveCalculatorTest, TheOracleFindsAValueOfTheThread) {
  const absl::Status status = CompareGraphWithOracle(
      Graph(kOfTheThread, kOfTheThread.defect), Inputs());
  ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_EQ(ShrunkSteps(status), 1) << status;
  const CalculatorGraphConfig sound = Graph(kOfTheThread, kOfTheThread.sound);
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(sound, Inputs()));
  SYNCLINE_EXPECT_OK(ExploreGraph(sound));
}

TEST(DefectiveCalculatorTest, ExplorationHasOneThreadAndMissesItsValue) {
  SYNCLINE_EXPECT_OK(ExploreGraph(Graph(kOfTheThread, kOfTheThread.defect)));
}

}  // namespace
}  // namespace syncline
