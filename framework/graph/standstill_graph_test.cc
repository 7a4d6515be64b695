// What Explain() begins with while a graph stands still: one sentence that
// names the cause, whoever runs the calls.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/report/node_wait.h"
#include "framework/report/test_lambda.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class StandstillGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(StandstillGraphTest);

// What the run says once it stands still; then it is cancelled.
std::string ExplainedWhenIdle(TestGraph* graph) {
  graph->Idle();
  std::string text = graph->graph().Explain();
  graph->graph().Cancel();
  EXPECT_EQ(graph->graph().WaitUntilDone().code(),
            absl::StatusCode::kCancelled);
  return text;
}
// The same after the first packet.
std::string ExplainedAfter(const std::string& stream, std::int64_t time,
                           TestGraph* graph) {
  graph->Start();
  graph->Add(stream, time, 1);
  return ExplainedWhenIdle(graph);
}

TEST_P(StandstillGraphTest, AJoinWithoutItsSecondInput) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:a"
           input_stream: "X:1:b" })");
  EXPECT_THAT(ExplainedAfter("a", 1'500'000, &graph),
              StartsWith("\"join\" waits for stream \"b\" up to 1,500,000, and "
                         "the application, which sends it, has not sent that, "
                         "nor closed it.\nWhat to do: Add packets to \"b\""));
}

TEST_P(StandstillGraphTest, ASenderThatDropsAPacketAndPromisesNothing) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "detector" calculator: "TestLambda" input_stream: "in"
           output_stream: "detections" }
    node { name: "tracker" calculator: "TestLambda" input_stream: "in"
           input_stream: "detections" output_stream: "tracks" }
    node { name: "shown" calculator: "TestLambda" input_stream: "in"
           input_stream: "tracks" })");
  EXPECT_THAT(ExplainedAfter("in", 7, &graph),
              StartsWith("\"tracker\" waits for stream \"detections\" up to 7, "
                         "and \"detector\", which sends it, promises no bounds "
                         "while it sends nothing.\nWhat waits for that:\n  "
                         "\"shown\" waits for stream \"tracks\" up to 7\n"));
}

// By node, for a picture.
TEST_P(StandstillGraphTest, WaitsNameTheNodeAndTheStreamThatEachWaitsFor) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "detector" calculator: "TestLambda" input_stream: "in"
           output_stream: "detections" }
    node { name: "tracker" calculator: "TestLambda" input_stream: "in"
           input_stream: "detections" output_stream: "tracks" }
    node { name: "shown" calculator: "TestLambda" input_stream: "in"
           input_stream: "tracks" })");
  graph.Start();
  graph.Add("in", 7, 1);
  graph.Idle();
  const GraphPlan& plan = graph.graph().plan();
  const std::vector<NodeWait> waits = graph.graph().GetWaits();
  ASSERT_EQ(waits.size(), 3);
  EXPECT_EQ(waits[0].node, plan.FindNode("shown"));
  EXPECT_EQ(waits[0].for_node, plan.FindNode("tracker"));
  EXPECT_EQ(waits[0].stream, plan.FindStream("tracks"));
  EXPECT_EQ(waits[0].what, "waits for stream \"tracks\" up to 7");
  EXPECT_EQ(waits[1].node, plan.FindNode("tracker"));
  EXPECT_EQ(waits[1].for_node, plan.FindNode("detector"));
  EXPECT_EQ(waits[1].stream, plan.FindStream("detections"));
  EXPECT_EQ(waits[2].node, plan.FindNode("detector"));
  EXPECT_EQ(waits[2].for_node, -1);
  EXPECT_THAT(waits[2].what, HasSubstr("promises no bounds"));
  graph.graph().Cancel();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(graph.graph().GetWaits().empty());
}

TEST_P(StandstillGraphTest, AWaitForTheApplicationIsForNoNode) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:a"
           input_stream: "X:1:b" })");
  EXPECT_TRUE(graph.graph().GetWaits().empty()) << "it has not started";
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Idle();
  const std::vector<NodeWait> waits = graph.graph().GetWaits();
  ASSERT_EQ(waits.size(), 1);
  EXPECT_EQ(waits[0].node, 0);
  EXPECT_EQ(waits[0].for_node, -1);
  EXPECT_EQ(waits[0].stream, graph.graph().plan().FindStream("b"));
  graph.graph().Cancel();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(StandstillGraphTest, ABackEdgeThatNobodyStarts) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "merge" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:loop" output_stream: "merged"
           input_side_packet: "PROCESS:sum"
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "state" calculator: "TestLambda" input_stream: "merged"
           input_side_packet: "PROCESS:sum" output_stream: "loop" })");
  graph.Give("sum", SendSum);
  EXPECT_THAT(ExplainedAfter("in", 7, &graph),
              StartsWith("\"merge\" waits for stream \"loop\" up to 7, a back "
                         "edge, which nothing has started: \"state\" sends it "
                         "only after \"merge\" has sent something.\n"));
}

TEST_P(StandstillGraphTest, APollerThatNobodyReads) {
  TestGraph graph(GetParam(), R"(
    input_stream: "open"
    node { name: "source" calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count" }
    node { calculator: "TestLambda" input_stream: "open" })");
  graph.Give("count", CountTo(9));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(2);
  graph.Start();
  EXPECT_THAT(ExplainedWhenIdle(&graph),
              StartsWith("\"source\" is paused by the full poller of stream "
                         "\"a\", which the application does not read.\nWhat to "
                         "do: Call Next()"));
}

TEST_P(StandstillGraphTest, ASidePacketThatIsNeverSet) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "maker" calculator: "TestLambda" input_stream: "in"
           output_side_packet: "side" }
    node { name: "user" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "side" })");
  EXPECT_THAT(ExplainedAfter("in", 7, &graph),
              StartsWith("\"user\" is not open, as it waits for side packet "
                         "\"side\", which \"maker\" has not set.\n"));
}

TEST_P(StandstillGraphTest, APollerOfAGraphWhoseInputIsOpen) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pass" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" })");
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.Start();
  graph.Idle();
  EXPECT_THAT(
      graph.graph().Explain(),
      HasSubstr("\"pass\" waits for stream \"in\", and the application, "
                "which sends it, has not sent that, nor closed it."));
}

}  // namespace
}  // namespace syncline
