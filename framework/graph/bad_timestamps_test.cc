// graph_input_info: what a graph does with packets whose timestamps go back,
// and how it counts them. How each rule works is in graph_input_test.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/runtime_info_text.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string Graph(const std::string& rule) {
  return absl::StrCat(R"(
    input_stream: "in"
    graph_input_info { stream: "in" )",
                      rule, R"( }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "in" output_stream: "out" })");
}

GraphInputRuntimeInfo InputInfo(TestGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  if (!info.ok() || info->graph_input_infos_size() != 1) return {};
  EXPECT_EQ(info->graph_input_infos(0).stream_name(), "in");
  return info->graph_input_infos(0);
}

class BadTimestampsTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(BadTimestampsTest);

TEST_P(BadTimestampsTest, ByDefaultTheRunFails) {
  TestGraph graph(GetParam(), Graph(""));
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("in", 20, 1);
  const absl::Status refused = graph.AddWithStatus("in", 10, 2);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("Current minimum expected timestamp is 21 but received "
                        "10"));
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"in\""));
}

TEST_P(BadTimestampsTest, RejectLetsTheRunGoOn) {
  TestGraph graph(GetParam(), Graph("bad_timestamps: REJECT"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 20, 1);
  EXPECT_EQ(graph.AddWithStatus("in", 10, 2).code(),
            absl::StatusCode::kInvalidArgument);
  graph.Add("in", 30, 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "20:1 30:3");
  EXPECT_EQ(InputInfo(&graph).rejected_packets(), 1);
  EXPECT_EQ(InputInfo(&graph).number_of_packets_added(), 2);
}

TEST_P(BadTimestampsTest, DropIsCountedAndToldInTheText) {
  TestGraph graph(GetParam(), Graph("bad_timestamps: DROP"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (const int time : {20, 10, 20, 30}) graph.Add("in", time, time);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "20:20 30:30");
  EXPECT_EQ(InputInfo(&graph).dropped_packets(), 2);
  EXPECT_THAT(RuntimeInfoText(*graph.graph().GetGraphRuntimeInfo()),
              HasSubstr("graph input \"in\" had timestamps that went back: 2 "
                        "packets dropped.\n"));
}

TEST_P(BadTimestampsTest, ClampMovesPacketsToTheBound) {
  TestGraph graph(GetParam(), Graph("bad_timestamps: CLAMP"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 20, 1);
  graph.SetBound("in", 25);
  graph.Add("in", 10, 2);
  graph.Add("in", 30, 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "20:1 25:2 30:3");
  EXPECT_EQ(InputInfo(&graph).clamped_packets(), 1);
}

TEST_P(BadTimestampsTest, ReorderSortsAndIsFlushedAtTheEnd) {
  TestGraph graph(GetParam(),
                  Graph("bad_timestamps: REORDER reorder_window: 15"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (const int time : {10, 30, 20, 40, 35, 5}) graph.Add("in", time, time);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:10 20:20");
  EXPECT_EQ(InputInfo(&graph).held_packets(), 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:10 20:20 30:30 35:35 40:40");
  EXPECT_EQ(InputInfo(&graph).held_packets(), 0);
  EXPECT_EQ(InputInfo(&graph).reordered_packets(), 2);
  EXPECT_EQ(InputInfo(&graph).dropped_packets(), 1);
}

// Streams without a GraphInputInfo keep to the default.
TEST_P(BadTimestampsTest, EachStreamHasItsOwnRule) {
  TestGraph graph(GetParam(), R"(
    input_stream: "A:a" input_stream: "B:b"
    graph_input_info { stream: "b" bad_timestamps: DROP }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" output_stream: "out" })");
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("b", 20, 1);
  graph.Add("b", 10, 1);
  graph.Add("a", 20, 1);
  EXPECT_FALSE(graph.AddWithStatus("a", 10, 1).ok());
  EXPECT_FALSE(graph.FinishWithStatus().ok());
}

}  // namespace
}  // namespace syncline
