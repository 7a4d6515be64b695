// What the wait of a node means for the rest of its graph, and what can be seen
// of it.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/condition/boolean_condition.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// --- What a wait means for others

TEST_P(ConditionsGraphTest, AHeldNodePassesBoundsUpToItsOldestInputSet) {
  TestGraph graph(GetParam(), Inner(Boolean("enable_tick: false "
                                            "on_false: PAUSE")) +
                                  R"(
    input_stream: "other"
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "other" input_stream: "out" output_stream: "both" })");
  graph.Give("f", SendSum);
  graph.Observe("both");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  graph.Add("other", 5, 5);
  graph.Add("other", 10, 10);
  graph.Add("in", 10, 1);
  // Nothing of the held node can come before 10, so 5 goes on; 10 does not.
  if (GetParam().is_application_thread()) {
    // Runs what there is: the held node keeps the graph busy.
    (*enabled)->enable_tick();
    graph.Idle();
    EXPECT_EQ(graph.Seen("both"), "5:5 10:11");
  } else {
    for (int i = 0; i < 10000 && graph.Seen("both") != "5:5"; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_EQ(graph.Seen("both"), "5:5");
    (*enabled)->enable_tick();
    graph.Idle();
    EXPECT_EQ(graph.Seen("both"), "5:5 10:11");
  }
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ExplainTellsWhatAHeldNodeHolds) {
  TestGraph graph(GetParam(), " clock { type: \"SyntheticClock\" } " +
                                  Inner(Periodic("10ms")));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 1; i <= 2; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(
      graph.graph().Explain(),
      "\"inner\" is held by condition \"PeriodicCondition\", which says "
      "WAIT_TIME until 10ms of the graph's clock (the next period).\n"
      "The node \"inner\" (TestLambdaOffset) holds packets of \"in\" (1 "
      "packet) and is held by condition \"PeriodicCondition\", which says "
      "WAIT_TIME until 10ms of the graph's clock (the next period).\n");
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST_P(ConditionsGraphTest, SourcesStartThoughOtherNodesAreHeld) {
  // One is held from the start, one by a packet that comes before any source
  // has been called.
  TestGraph graph(GetParam(),
                  Source(Count(3)) + R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "out" )" +
                      Boolean("enable_tick: false on_false: PAUSE") +
                      R"( }
    node { calculator: "TestLambda" input_stream: "in" condition {
             type: "ExpiringMessageAvailableCondition" options {
               [syncline.ExpiringMessageAvailableConditionOptions.ext] {
                 max_batch_size: 2 max_delay_ns: 1000000000000 } } } })");
  graph.Give("source", CountForEver());
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 1, 1);
  for (int i = 0; i < 10'000 && graph.Count("out") < 3; ++i) {
    if (GetParam().is_application_thread()) {
      SYNCLINE_EXPECT_OK(graph.graph().RunEpoch(absl::Seconds(1)));
    } else {
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2");
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST_P(ConditionsGraphTest, ASourceWaitsForRoomBehindIt) {
  TestGraph graph(GetParam(), "max_queue_size: 3 input_stream: \"gate\" " +
                                  Source(Count(6) + R"(
    condition { type: "DownstreamMessageAffordableCondition" options {
      [syncline.DownstreamMessageAffordableConditionOptions.ext] {
        min_size: 2 } } })") + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "out" input_stream: "gate" output_stream: "both" })");
  graph.Give("source", CountForEver());
  graph.Give("f", SendSum);
  graph.Observe("both");
  graph.Start();
  graph.Idle();
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  std::int64_t queued = 0;
  for (const auto& node : info->calculator_infos()) {
    for (const auto& in : node.input_stream_infos()) {
      queued = std::max<std::int64_t>(queued, in.queue_size());
    }
  }
  // There must be room for two before a call.
  EXPECT_EQ(queued, 2);
  graph.Finish();
  EXPECT_EQ(graph.Count("both"), 6);
}

// The packet at 1 was all that the node was held with. The one at 5, which
// drives it out, waits for "b".
TEST_P(ConditionsGraphTest, ANodeThatLosesWhatItWasHeldWithIsNotHeld) {
  TestGraph graph(GetParam(),
                  R"(
    input_stream: "a" input_stream: "b"
    node { name: "inner" calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" output_stream: "out"
           input_stream_info { tag_index: ":0" max_queue_size: 1
                               queue_policy: POP } )" +
                      Boolean("enable_tick: false on_false: PAUSE") + " }");
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  graph.Add("a", 1, 1);
  graph.SetBound("b", 2);
  const std::string held = "is held by condition \"enabled\"";
  for (int i = 0; i < 100 && !absl::StrContains(graph.graph().Explain(), held);
       ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  graph.Add("a", 5, 5);
  graph.Idle();
  EXPECT_THAT(graph.graph().Explain(), Not(HasSubstr(held)));
  (*enabled)->enable_tick();
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "5:5");
}

TEST_P(ConditionsGraphTest, ARunEndsWhenNobodyCanEndAWait) {
  // No time is ever set.
  TestGraph graph(GetParam(), Source(" condition { name: \"next\" type: "
                                     "\"TargetTimeCondition\" }"));
  graph.Give("source", CountForEver());
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0");
}

TEST_P(ConditionsGraphTest, ARunThatReportsDeadlocksNamesTheCondition) {
  TestGraph graph(GetParam(), "report_deadlock: true " +
                                  Source(" condition { name: \"next\" type: "
                                         "\"TargetTimeCondition\" }"));
  graph.Give("source", CountForEver());
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("deadlock"), HasSubstr("\"source\""),
                    HasSubstr("condition \"next\" (TargetTimeCondition)"),
                    HasSubstr("WAIT")));
}

TEST_P(ConditionsGraphTest, ASnapshotShowsWhatANodeWaitsFor) {
  TestGraph graph(GetParam(), " clock { type: \"SyntheticClock\" } " +
                                  Source(Periodic("10ms") + Count(3)));
  graph.Give("source", CountForEver());
  graph.Start();
  graph.Idle();
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  const auto& conditions = info->calculator_infos(0).condition_infos();
  ASSERT_EQ(conditions.size(), 2);
  EXPECT_EQ(conditions[0].condition_name(), "PeriodicCondition");
  EXPECT_EQ(conditions[0].state(), "WAIT_TIME");
  EXPECT_EQ(conditions[0].target_time_ns(), 10 * kMs);
  EXPECT_EQ(conditions[0].reason(), "the next period");
  EXPECT_EQ(conditions[1].condition_type(), "CountCondition");
  EXPECT_EQ(conditions[1].state(), "READY");
  EXPECT_THAT(graph.graph().Explain(),
              AllOf(HasSubstr("\"source\""), HasSubstr("WAIT_TIME")));
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

// Of the conditions of the first node: "TYPE STATE reason".
std::vector<std::string> States(TestGraph* graph) {
  std::vector<std::string> states;
  const auto info = graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info);
  if (!info.ok()) return states;
  for (const auto& condition : info->calculator_infos(0).condition_infos()) {
    states.push_back(absl::StrCat(condition.condition_type(), " ",
                                  condition.state(), " ", condition.reason()));
  }
  return states;
}

TEST_P(ConditionsGraphTest, ASnapshotShowsEachStateWithItsReason) {
  TestGraph graph(
      GetParam(),
      " clock { type: \"SyntheticClock\" } " +
          Source(Periodic("10ms") + Count(2) + Boolean("on_false: PAUSE") +
                 R"(condition { type: "TargetTimeCondition" }
                                any_of { condition { type: "CountCondition"
                                                     name: "over" }
                                         condition { name: "event" type:
                                           "AsynchronousCondition" } })"));
  graph.Give("source", [](CalculatorContext* cc) {
    cc->Condition<BooleanCondition>("enabled")->disable_tick();
    return absl::OkStatus();
  });
  graph.Start();
  const std::vector<std::string> expected = {
      "PeriodicCondition WAIT_TIME the next period",
      "CountCondition READY ",
      "BooleanCondition WAIT_EVENT enable_tick",
      "TargetTimeCondition WAIT SetNextTargetTime",
      "CountCondition NEVER the count is used up",
      "AsynchronousCondition READY "};
  for (int i = 0; i < 10'000 && States(&graph) != expected; ++i) {
    if (GetParam().is_application_thread()) {
      SYNCLINE_EXPECT_OK(graph.graph().RunEpoch(absl::Seconds(1)));
    } else {
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  EXPECT_EQ(States(&graph), expected);
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

}  // namespace
}  // namespace syncline
