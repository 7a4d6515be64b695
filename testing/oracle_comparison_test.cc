#include "testing/oracle_comparison.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/random_graph.h"

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
  EXPECT_EQ(RandomCaseText(ShrinkRandomCase(random_case, has_source)),
            RandomCaseText(smallest));
}

}  // namespace
}  // namespace syncline
