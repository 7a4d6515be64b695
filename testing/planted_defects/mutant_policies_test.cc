// Each mistake of a policy is found by the oracle on random graphs, and, where
// it depends on the order, by exploring one small graph. The same search with
// the policy that makes no mistake finds nothing.

#include "testing/planted_defects/mutant_policies.h"

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/substitute.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/planted_defects/exploration_report.h"
#include "testing/planted_defects/oracle_hunt.h"
#include "testing/random_graph.h"

namespace syncline {
namespace {

struct Mutant {
  const char* name;
  const char* handler;
  // The order in which things happen makes a difference.
  bool depends_on_order;

  friend void PrintTo(const Mutant& mutant, std::ostream* out) {
    *out << mutant.name;
  }
};

constexpr Mutant kMutants[] = {
    {"DoubleDelivery", kDoubleDeliveryPolicy, false},
    {"LostPacket", kLostPacketPolicy, false},
    {"MissingBound", kMissingBoundPolicy, true},
    {"ForgottenBound", kForgottenBoundPolicy, true},
    {"MixedUpTie", kMixedUpTiePolicy, true},
};

std::string NameOf(const testing::TestParamInfo<Mutant>& info) {
  return info.param.name;
}

// --- The oracle

class OracleTest : public testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(MutantPolicies, OracleTest,
                         testing::ValuesIn(kMutants), NameOf);

TEST_P(OracleTest, FindsTheMistakeAndShrinksTheGraph) {
  const OracleHunt hunt =
      HuntWithOracle(1000, RunsWithPolicy(GetParam().handler));
  ASSERT_TRUE(hunt.is_caught()) << hunt.ToString();
  EXPECT_FALSE(hunt.smallest_difference.ok()) << hunt.ToString();
  EXPECT_LT(hunt.steps, 20) << hunt.ToString();

  // The same graphs without the mistake are no different.
  const RunCase sound = RunsWithPolicy(kSoundPolicy);
  for (const RandomCase& random_case :
       {MakeRandomCase(hunt.seed), hunt.smallest}) {
    const absl::StatusOr<absl::Status> compared =
        CompareCase(random_case, sound);
    SYNCLINE_ASSERT_OK(compared.status());
    SYNCLINE_EXPECT_OK(*compared) << hunt.ToString();
  }
}

TEST(SoundPolicyTest, TheOracleFindsNothingInIt) {
  const OracleHunt hunt = HuntWithOracle(300, RunsWithPolicy(kSoundPolicy));
  EXPECT_FALSE(hunt.is_caught()) << hunt.ToString();
  EXPECT_EQ(hunt.compared, 300);
}

// --- Exploration

// Two inputs that come in any order, joined by a node that tells them apart.
constexpr char kJoin[] = R"pb(
  input_stream: "a"
  input_stream: "b"
  output_stream: "out"
  node {
    calculator: "RandomMixCalculator"
    input_stream: "IN:0:a"
    input_stream: "IN:1:b"
    output_stream: "OUT:out"
    input_stream_handler { input_stream_handler: "$0" }
  }
)pb";

ScheduleInputs JoinInputs() {
  const auto packet = [](std::int64_t value, int time) {
    return MakePacket<std::int64_t>(value).At(Timestamp(time));
  };
  const auto bound = [](int time) { return Packet().At(Timestamp(time)); };
  ScheduleInputs inputs;
  inputs.streams["a"] = {packet(1, 0), packet(2, 10), packet(3, 20)};
  inputs.streams["b"] = {packet(4, 0), bound(30)};
  return inputs;
}

absl::Status ExploreJoin(const char* handler,
                         const ExploreOptions& options = {}) {
  return ExploreSchedules(ParseTextProtoOrDie<CalculatorGraphConfig>(
                              absl::Substitute(kJoin, handler)),
                          JoinInputs(), options);
}

class ExplorationTest : public testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(MutantPolicies, ExplorationTest,
                         testing::ValuesIn(kMutants), NameOf);

TEST_P(ExplorationTest, FindsTheMistakeIfItDependsOnTheOrder) {
  const absl::Status status = ExploreJoin(GetParam().handler);
  if (!GetParam().depends_on_order) {
    // A mistake that is made every time is the oracle's to find.
    SYNCLINE_EXPECT_OK(status);
    return;
  }
  ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_GE(ShrunkSteps(status), 1) << status;
  EXPECT_LT(ShrunkSteps(status), 20) << status;
  // The seed that it names is enough to find it again.
  const int seed = DifferingSeed(status);
  ASSERT_GE(seed, 1) << status;
  EXPECT_EQ(ExploreJoin(GetParam().handler,
                        {.schedules = 1,
                         .first_seed = static_cast<std::uint64_t>(seed)}),
            status);
}

// --- A stall

class ForgottenBoundTest : public LifetimesTest {};

TEST_F(ForgottenBoundTest, IsAGraphThatStandsStillAndNotOneThatHangs) {
  for (const char* const handler : {kSoundPolicy, kForgottenBoundPolicy}) {
    const bool is_sound = handler == kSoundPolicy;
    GraphHarness graph(absl::Substitute(
        R"pb(
          input_stream: "a"
          input_stream: "b"
          node {
            calculator: "SumCalculator"
            name: "join"
            input_stream: "a"
            input_stream: "b"
            output_stream: "out"
            input_stream_handler { input_stream_handler: "$0" }
          }
        )pb",
        handler));
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("a", {{10, 1}});
    graph.SetBound("b", 20);
    graph.Idle();
    EXPECT_EQ(graph.Count("out"), is_sound ? 1 : 0);
    EXPECT_EQ(graph.graph().Explain().find("join") == std::string::npos,
              is_sound)
        << graph.graph().Explain();
    EXPECT_EQ(graph.Finish().code(),
              is_sound ? absl::StatusCode::kOk : absl::StatusCode::kUnavailable)
        << "a run does not end well with packets that nobody took";
    EXPECT_EQ(graph.Count("out"), is_sound ? 1 : 0);
  }
}

TEST(SoundPolicyTest, ExplorationFindsNothingInIt) {
  SYNCLINE_EXPECT_OK(ExploreJoin(kSoundPolicy));
}

}  // namespace
}  // namespace syncline
