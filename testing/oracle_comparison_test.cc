#include "testing/oracle_comparison.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/random_graph.h"
#include "testing/random_graph.pb.h"

namespace syncline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Values = std::vector<std::pair<int, std::int64_t>>;

std::vector<Packet> Packets(const Values& values) {
  std::vector<Packet> packets;
  for (const auto& [time, value] : values) {
    packets.push_back(MakePacket<std::int64_t>(value).At(Timestamp(time)));
  }
  return packets;
}

// Compares one stream "s".
absl::Status Compare(const Values& reference, const Values& engine,
                     const absl::Status& reference_error = absl::OkStatus(),
                     const absl::Status& engine_error = absl::OkStatus()) {
  ReferenceResult expected;
  expected.streams["s"].packets = Packets(reference);
  if (!reference_error.ok()) expected.errors.push_back(reference_error);
  EngineResult seen;
  seen.streams["s"] = Packets(engine);
  seen.status = engine_error;
  return CompareResults(expected, seen);
}

TEST(OracleComparisonTest, WithoutErrorsStreamsHaveToBeEqual) {
  SYNCLINE_EXPECT_OK(Compare({{1, 5}, {2, 6}}, {{1, 5}, {2, 6}}));
  EXPECT_THAT(
      Compare({{1, 5}, {2, 6}}, {{1, 5}, {2, 7}}).ToString(),
      AllOf(HasSubstr("\"s\""), HasSubstr("6 at 2"), HasSubstr("7 at 2")));
  EXPECT_THAT(Compare({{1, 5}, {2, 6}}, {{1, 5}, {3, 6}}).ToString(),
              AllOf(HasSubstr("6 at 2"), HasSubstr("6 at 3")));
  EXPECT_THAT(Compare({{1, 5}, {2, 6}}, {{1, 5}}).ToString(),
              HasSubstr("the engine has nothing"));
  EXPECT_THAT(Compare({{1, 5}}, {{1, 5}, {2, 6}}).ToString(),
              HasSubstr("the reference run has nothing"));
}

TEST(OracleComparisonTest, AnErrorOfOneSideOnlyIsADifference) {
  const absl::Status error = absl::DataLossError("node n fails");
  EXPECT_FALSE(Compare({}, {}, error).ok());
  EXPECT_FALSE(Compare({}, {}, absl::OkStatus(), error).ok());
  SYNCLINE_EXPECT_OK(
      Compare({}, {}, error, absl::UnknownError("Run failed: node n fails")));
  EXPECT_FALSE(Compare({}, {}, error, absl::UnknownError("node m fails")).ok());
}

TEST(OracleComparisonTest, WithErrorsTheEngineMayHaveStoppedEarlier) {
  const absl::Status error = absl::DataLossError("node n fails");
  SYNCLINE_EXPECT_OK(Compare({{1, 5}, {2, 6}}, {{1, 5}}, error, error));
  EXPECT_FALSE(Compare({{1, 5}, {2, 6}}, {{2, 6}}, error, error).ok());
  EXPECT_FALSE(Compare({{1, 5}}, {{1, 5}, {2, 6}}, error, error).ok());
}

TEST(OracleComparisonTest, SidePacketsHaveToBeEqual) {
  ReferenceResult expected;
  expected.side_packets["p"] = MakePacket<std::int64_t>(1);
  EngineResult seen;
  EXPECT_THAT(CompareResults(expected, seen).ToString(),
              HasSubstr("\"p\" is missing"));
  seen.side_packets["p"] = MakePacket<std::int64_t>(2);
  EXPECT_THAT(CompareResults(expected, seen).ToString(), HasSubstr("differs"));
  seen.side_packets["p"] = MakePacket<std::int64_t>(1);
  SYNCLINE_EXPECT_OK(CompareResults(expected, seen));
  seen.side_packets["q"] = MakePacket<std::int64_t>(1);
  EXPECT_THAT(CompareResults(expected, seen).ToString(), HasSubstr("\"q\""));
}

TEST(OracleComparisonTest, AGraphThatIsNotValidIsReportedWithItsSeed) {
  RandomCase random_case;
  random_case.set_seed(77);
  random_case.mutable_graph()->add_node()->set_calculator("Nobody");
  EXPECT_THAT(CompareWithOracle(random_case, 1).ToString(),
              AllOf(HasSubstr("Seed 77"), HasSubstr("Nobody")));
}

TEST(OracleComparisonTest, ShrinkingKeepsWhatIsNeeded) {
  RandomCase random_case = MakeRandomCase(3);
  const auto has_source = [](const RandomCase& smaller) {
    for (const auto& node : smaller.graph().node()) {
      if (node.calculator() == "RandomSourceCalculator") return true;
    }
    return false;
  };
  for (std::uint64_t seed = 4; !has_source(random_case); ++seed) {
    random_case = MakeRandomCase(seed);
  }
  RandomCase smallest;
  smallest.mutable_graph()->add_node()->set_calculator(
      "RandomSourceCalculator");
  *smallest.mutable_graph()->mutable_options() = random_case.graph().options();
  EXPECT_EQ(RandomCaseText(ShrinkRandomCase(random_case, has_source)),
            RandomCaseText(smallest));
}

TEST(OracleComparisonTest, ShrinkingTakesAwayWholeLoops) {
  const absl::StatusOr<RandomCase> random_case = ReadRandomCase(R"pb(
    graph {
      node { calculator: "Kept" output_stream: "OUT:a" }
      node { calculator: "Head" input_stream: "LOOP:c" output_stream: "OUT:b" }
      node { calculator: "Tail" input_stream: "IN:b" output_stream: "OUT:c" }
      node {
        calculator: "Reader"
        input_stream: "IN:0:a"
        input_stream: "IN:1:c"
      }
    }
  )pb");
  SYNCLINE_ASSERT_OK(random_case.status());
  // Neither node of the loop can go alone.
  const auto has_all_inputs = [](const RandomCase& smaller) {
    std::set<std::string> sent;
    for (const auto& node : smaller.graph().node()) {
      for (const auto& port : node.output_stream()) sent.insert(port.substr(4));
    }
    bool is_kept = false;
    bool is_read = false;
    for (const auto& node : smaller.graph().node()) {
      is_kept = is_kept || node.calculator() == "Kept";
      for (const auto& port : node.input_stream()) {
        const std::string name = port.substr(port.rfind(':') + 1);
        is_read = is_read || name == "a";
        if (sent.count(name) == 0) return false;
      }
    }
    return is_kept && is_read;
  };
  ASSERT_TRUE(has_all_inputs(*random_case));
  const RandomCase smallest = ShrinkRandomCase(*random_case, has_all_inputs);
  ASSERT_EQ(smallest.graph().node_size(), 2) << RandomCaseText(smallest);
  EXPECT_EQ(smallest.graph().node(1).input_stream_size(), 1);
}

TEST(OracleComparisonTest, ShrinkingMakesCountsSmaller) {
  RandomCase random_case;
  const auto options_of = [](RandomCase& whole) {
    return whole.mutable_graph()->mutable_node(0)->mutable_options();
  };
  random_case.mutable_graph()->add_node()->set_calculator("Source");
  options_of(random_case)
      ->MutableExtension(RandomNodeOptions::ext)
      ->set_count(23);
  const auto sends_five = [](const RandomCase& smaller) {
    return smaller.graph().node_size() == 1 &&
           smaller.graph()
                   .node(0)
                   .options()
                   .GetExtension(RandomNodeOptions::ext)
                   .count() >= 5;
  };
  RandomCase smallest = ShrinkRandomCase(random_case, sends_five);
  EXPECT_EQ(options_of(smallest)->GetExtension(RandomNodeOptions::ext).count(),
            5);
}

TEST(OracleComparisonTest, ARunThatIsSaidToStandStillIsADifference) {
  const ReferenceResult reference;
  EngineResult engine;
  SYNCLINE_EXPECT_OK(CompareResults(reference, engine));
  engine.told_standstill = "\"join\" waits";
  EXPECT_THAT(CompareResults(reference, engine).message(),
              HasSubstr("stands still which ends by itself: \"join\" waits"));
}

}  // namespace
}  // namespace syncline
