// A calculator of one's own, a graph around it, and their tests.

#include "testing/testing.h"

namespace syncline {
namespace {

// Sends the difference of each value from the one before.
class StepCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value - last_).At(cc->InputTimestamp()));
    last_ = value;
    return absl::OkStatus();
  }

 private:
  int last_ = 0;
};
REGISTER_CALCULATOR(StepCalculator);

// Sends each value plus the last step: a guess of the next value.
constexpr char kGuess[] = R"pb(
  input_stream: "value"
  output_stream: "guess"
  node {
    calculator: "StepCalculator"
    input_stream: "value"
    output_stream: "step"
  }
  node {
    calculator: "SumCalculator"
    input_stream: "value"
    input_stream: "step"
    output_stream: "guess"
  }
)pb";

ScheduleInputs Values() {
  ScheduleInputs inputs;
  inputs.streams["value"] = {MakePacket<int>(5).At(Timestamp(0)),
                             MakePacket<int>(7).At(Timestamp(10)),
                             MakePacket<int>(4).At(Timestamp(20))};
  return inputs;
}

TEST(StepCalculatorTest, SendsTheDifferenceToTheValueBefore) {
  CalculatorHarness harness(R"pb(
    calculator: "StepCalculator"
    input_stream: "in"
    output_stream: "out"
  )pb");
  harness.Feed("", Values().streams["value"]);
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 5}, {10, 2}, {20, -3}}));
}

class GuessTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GuessTest);

TEST_P(GuessTest, GoesOnLikeTheLastStep) {
  GraphHarness graph(kGuess, GetParam());
  graph.Feed("value", {{0, 5}, {10, 7}, {20, 4}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("guess", {{0, 10}, {10, 9}, {20, 1}});
}

TEST(GuessScheduleTest, NoScheduleMakesADifference) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(kGuess);
  SYNCLINE_EXPECT_OK(ExploreSchedules(config, Values(), {.schedules = 100}));
}

TEST(GuessScheduleTest, NoScheduleThereIsMakesADifference) {
  const auto result =
      Explore(ParseTextProtoOrDie<CalculatorGraphConfig>(kGuess), Values(),
              {.schedules = 100000, .exhaustive = true});
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_TRUE(result->is_complete);
}

TEST(GuessScheduleTest, ItIsWhatTheGraphMeans) {
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(
      ParseTextProtoOrDie<CalculatorGraphConfig>(kGuess), Values()));
}

}  // namespace
}  // namespace syncline
