// Several input sets in one call, one after the other or side by side, in whole
// graphs.

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_batch.h"
#include "framework/condition/boolean_condition.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// --- Several calls at once, and batches

TEST_P(ConditionsGraphTest, CallsThatOverlapDoNotExceedTheCount) {
  TestGraph graph(GetParam(), Inner(" max_in_flight: 4" + Count(5)));
  std::atomic<int> calls{0};
  graph.Give("f", [&](CalculatorContext* cc) {
    calls.fetch_add(1);
    absl::SleepFor(absl::Microseconds(200));
    return SendSum(cc);
  });
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 20; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3 4:4 5:5");
}

// Sends the number of input sets, and their sum.
absl::Status SendBatch(CalculatorContext* cc) {
  int sum = 0;
  for (const BatchedInputs& set : cc->Batch()) {
    sum += set.Inputs().Index(0).Get<int>();
  }
  const int size = static_cast<int>(cc->Batch().size());
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(100 * size + sum).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

TEST_P(ConditionsGraphTest, ABatchIsOneCallForSeveralInputSets) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 3 }"));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 7; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "3:306 6:315");
  // What is left goes at the end.
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "3:306 6:315 7:107");
}

TEST_P(ConditionsGraphTest, WithoutABatchThereIsOneInputSet) {
  TestGraph graph(GetParam(), Inner(""));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 2; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:101 2:102");
}

TEST_P(ConditionsGraphTest, ABatchThatIsNotFullGoesAfterItsDelay) {
  TestGraph graph(GetParam(),
                  " clock { type: \"SyntheticClock\" } " +
                      Inner(" batch { max_size: 3 max_delay_ns: 10000000 }"));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  const std::shared_ptr<GraphClock> clock = graph.graph().GetClock();
  graph.Add("in", 1, 1);
  graph.Idle();
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(6 * kMs));
  graph.Add("in", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  // Counted from the first.
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(4 * kMs));
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203");
  for (int i = 3; i <= 5; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203 5:312");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ABatchHoldsTheBoundAtItsFirstInputSet) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 3 }") + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "in" input_stream: "out" output_stream: "both" })");
  graph.Give("f", SendBatch);
  graph.Give("sum", SendSum);
  graph.Observe("both");
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Add("in", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("both"), "");
  graph.Add("in", 3, 3);
  graph.Idle();
  EXPECT_EQ(graph.Seen("both"), "1:1 2:2 3:309");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ABatchWaitsForTheConditionsOfItsNode) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 2 }" + Count(2)));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 7; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "2:203 4:207");
}

// What came during a call is the beginning of a batch when it ends, and then
// the conditions are asked too.
TEST_P(ConditionsGraphTest, ABatchThatIsBegunAtTheEndOfACallGoesAfterItsDelay) {
  TestGraph graph(GetParam(),
                  " clock { type: \"SyntheticClock\" } " +
                      Inner(" batch { max_size: 2 max_delay_ns: 10000000 }" +
                            Boolean("enable_tick: true")));
  std::atomic<bool> has_all{false};
  graph.Give("f", [&](CalculatorContext* cc) {
    for (int i = 0; i < 10'000 && !has_all; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    return SendBatch(cc);
  });
  graph.Observe("out");
  graph.Start();
  const std::shared_ptr<GraphClock> clock = graph.graph().GetClock();
  for (int i = 1; i <= 3; ++i) graph.Add("in", i, i);
  has_all = true;
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203");
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(10 * kMs));
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203 3:103");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ABatchIsDueThoughItsConditionsAreBeingAsked) {
  TestGraph graph(GetParam(),
                  Inner(" batch { max_size: 9 max_delay_ns: 1000000 }" +
                        Boolean("enable_tick: true")));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) (*enabled)->enable_tick();
  });
  for (int i = 1; i <= 100; ++i) {
    graph.Add("in", i, 0);
    graph.Idle();
    EXPECT_EQ(graph.Count("out"), i);
  }
  is_over = true;
  other.join();
  graph.Finish();
}

}  // namespace
}  // namespace syncline
