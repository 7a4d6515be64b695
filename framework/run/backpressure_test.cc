#include "framework/run/backpressure.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/run/test_lambda.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Sources: 0 the input "x", 1 the node of "a", 2 the node of "b".
GraphPlan MakePlan() {
  absl::StatusOr<GraphPlan> plan = Compile(TestConfig(R"(
    input_stream: "x"
    node { calculator: "TestLambda" output_stream: "a" }
    node { calculator: "TestLambda" output_stream: "b" }
    node { calculator: "TestLambda" input_stream: "a" input_stream: "b"
           output_stream: "ab" }
    node { calculator: "TestLambda" input_stream: "ab" input_stream: "x"
           output_stream: "abx" })"));
  SYNCLINE_EXPECT_OK(plan.status());
  return *plan;
}

class BackpressureTest : public ::testing::Test {
 protected:
  std::vector<int> Note(const std::string& stream, int change) {
    std::vector<int> resumed;
    backpressure_.Note(plan_.streams()[plan_.FindStream(stream)].source_set,
                       change, &resumed);
    return resumed;
  }

  const GraphPlan plan_ = MakePlan();
  Backpressure backpressure_{plan_};
};

TEST_F(BackpressureTest, AFullQueuePausesWhatFeedsIt) {
  EXPECT_THAT(Note("a", 1), IsEmpty());
  EXPECT_FALSE(backpressure_.IsPaused(0));
  EXPECT_TRUE(backpressure_.IsPaused(1));
  EXPECT_FALSE(backpressure_.IsPaused(2));
  Note("ab", 1);
  EXPECT_TRUE(backpressure_.IsPaused(2));
  Note("abx", 1);
  EXPECT_TRUE(backpressure_.IsPaused(0));
}

TEST_F(BackpressureTest, TheLastQueueBringsAParkedSourceBack) {
  Note("a", 1);
  Note("ab", 1);
  EXPECT_TRUE(backpressure_.ParkIfPaused(1));
  EXPECT_THAT(Note("a", -1), IsEmpty());
  EXPECT_THAT(Note("ab", -1), ElementsAre(1))
      << "2 was paused too, but it is not parked";
  EXPECT_FALSE(backpressure_.ParkIfPaused(1));
}

TEST_F(BackpressureTest, GraphInputsAlwaysHearThatTheyMayGoOn) {
  Note("x", 1);
  EXPECT_THAT(Note("x", -1), ElementsAre(0));
}

TEST_F(BackpressureTest, NewsMayComeInTheWrongOrder) {
  EXPECT_THAT(Note("a", -1), IsEmpty());
  EXPECT_FALSE(backpressure_.IsPaused(1));
  EXPECT_THAT(Note("a", 1), IsEmpty());
  EXPECT_FALSE(backpressure_.IsPaused(1));
}

// What backpressure.h says it may cost: one call, and all is well after it.
TEST_F(BackpressureTest, NewsInTheWrongOrderMayGiveASourceOneCallTooMany) {
  Note("ab", 1);
  EXPECT_TRUE(backpressure_.ParkIfPaused(1));
  EXPECT_THAT(Note("a", -1), ElementsAre(1)) << "though \"ab\" is full";
  Note("a", 1);
  EXPECT_TRUE(backpressure_.ParkIfPaused(1)) << "after that call";
  EXPECT_THAT(Note("ab", -1), ElementsAre(1));
  EXPECT_FALSE(backpressure_.IsPaused(1));
}

TEST_F(BackpressureTest, UnparksAll) {
  Note("ab", 1);
  EXPECT_TRUE(backpressure_.ParkIfPaused(1));
  EXPECT_TRUE(backpressure_.ParkIfPaused(2));
  EXPECT_THAT(backpressure_.UnparkAll(), ElementsAre(1, 2));
  EXPECT_THAT(backpressure_.UnparkAll(), IsEmpty());
}

}  // namespace
}  // namespace syncline
