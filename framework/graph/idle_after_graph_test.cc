// idle_after: a join does not wait any longer for a stream that has fallen
// behind another one by more than a gap, counted in timestamps. What comes
// later all the same is dropped and counted.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A node "n" that adds up "fast" and "slow", where the latter is idle once it
// is 100 behind; `fields` of the node, and of the graph.
std::string Join(const std::string& fields = "",
                 const std::string& graph_fields = "") {
  return absl::Substitute(
      R"(input_stream: "fast" input_stream: "slow"
         node { calculator: "TestLambdaOffset" name: "n"
                input_side_packet: "PROCESS:f"
                input_stream: "fast" input_stream: "slow" output_stream: "out"
                input_stream_info {
                  tag_index: ":1" idle_after { stream: ":0" gap: 100 } } $0 } $1)",
      fields, graph_fields);
}

// Packets that were dropped as late, of input `port` of the first node; those
// with other causes must not be.
std::int64_t Late(TestGraph* graph, int port) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  if (!info.ok()) return -1;
  std::int64_t late = 0;
  for (const DroppedPacketsInfo& dropped :
       info->calculator_infos(0).input_stream_infos(port).dropped_packets()) {
    EXPECT_EQ(dropped.cause(), DroppedPacketsInfo::LATE);
    late += dropped.number_of_packets();
  }
  return late;
}

class IdleAfterGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(IdleAfterGraphTest);

TEST_P(IdleAfterGraphTest, AStreamThatIsBehindByMoreThanTheGapIsNotWaitedFor) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("fast", 0, 1);
  graph.Add("fast", 50, 2);
  graph.Add("fast", 99, 3);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "") << "the bound is 100, not more than 0 + 100";
  graph.Add("fast", 100, 4);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1");
  graph.SetBound("fast", 200);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1 50:2 99:3");
  graph.Add("slow", 100, 10);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1 50:2 99:3 100:14") << "in time";
  graph.Finish();
  EXPECT_EQ(Late(&graph, 1), 0);
}

TEST_P(IdleAfterGraphTest, WhatComesTooLateIsDroppedAndCountedAndTheRunGoesOn) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("fast", 0, 1);
  graph.Add("fast", 150, 2);
  graph.Idle();
  for (const int time : {10, 50, 51, 150}) graph.Add("slow", time, 10);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "0:1 51:10 150:12");
  EXPECT_EQ(Late(&graph, 1), 2);
  EXPECT_EQ(Late(&graph, 0), 0);
}

TEST_P(IdleAfterGraphTest, TheEndOfTheOtherStreamMakesNothingLate) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("fast", 0, 1);
  graph.Add("fast", 200, 2);
  graph.Close("fast");
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1") << "200 waits for \"slow\" itself";
  graph.Add("slow", 150, 10);
  graph.Add("slow", 1000, 20);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "0:1 150:10 200:2 1000:20");
  EXPECT_EQ(Late(&graph, 1), 0);
}

TEST_P(IdleAfterGraphTest, TheIdleStreamMayEndFirst) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("slow", 0, 10);
  graph.Close("slow");
  graph.Add("fast", 500, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:10 500:1");
  graph.Finish();
}

TEST_P(IdleAfterGraphTest, OtherHandlersReadTheSameBounds) {
  for (const char* const handler :
       {"SyncSetInputStreamHandler", "FixedSizeInputStreamHandler",
        "EarlyCloseInputStreamHandler"}) {
    SCOPED_TRACE(handler);
    TestGraph graph(GetParam(), Join(absl::StrCat("input_stream_handler { "
                                                  "input_stream_handler: \"",
                                                  handler, "\" }")));
    graph.Give("f", SendSum);
    graph.Observe("out");
    graph.Start();
    graph.Add("fast", 0, 1);
    graph.SetBound("fast", 150);
    graph.Idle();
    EXPECT_EQ(graph.Seen("out"), "0:1");
    graph.Add("slow", 20, 10);
    graph.Idle();
    EXPECT_EQ(Late(&graph, 1), 1);
    graph.Finish();
  }
}

TEST_P(IdleAfterGraphTest, TheSettledTimeTravelsOn) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out", /*with_bounds=*/true);
  graph.Start();
  graph.SetBound("fast", 150);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "49-") << "nothing will come up to 49";
  graph.Finish();
}

TEST_P(IdleAfterGraphTest, TwoStreamsMayBeIdleAfterEachOther) {
  TestGraph graph(GetParam(), Join(R"(
    input_stream_info { tag_index: ":0" idle_after { stream: ":1" gap: 10 } })"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("fast", 0, 1);
  graph.Add("slow", 50, 10);
  graph.Add("slow", 60, 20);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1 50:10") << "below 61 - 10";
  graph.Add("fast", 50, 2);  // late
  graph.Add("fast", 300, 3);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1 50:10 60:20");
  graph.Add("slow", 100, 40);  // late
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "0:1 50:10 60:20 300:3");
  EXPECT_EQ(Late(&graph, 0), 1);
  EXPECT_EQ(Late(&graph, 1), 1);
}

// What the producer of the other stream says counts, not its own idle_after.
TEST_P(IdleAfterGraphTest, IdleStreamsMakeNoChain) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" input_stream: "c"
           output_stream: "out"
           input_stream_info { tag_index: ":1"
                               idle_after { stream: ":0" gap: 10 } }
           input_stream_info { tag_index: ":2"
                               idle_after { stream: ":1" gap: 10 } } })");
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 0, 1);
  graph.Add("a", 100, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "") << "\"b\" itself has not moved";
  graph.Add("b", 95, 10);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:1");
  graph.Finish();
}

TEST_P(IdleAfterGraphTest, ALoopNeedNobodyToBegin) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop" output_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true
                               idle_after { stream: ":0" gap: 15 } } })");
  graph.Give("f", SendSum);
  graph.Observe("loop");
  graph.Start();
  for (const int time : {0, 10, 20, 30}) graph.Add("in", time, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("loop"), "0:1 10:1");
  EXPECT_EQ(Late(&graph, 1), 2) << "a result is never in time for its own call";
  graph.Finish();
  EXPECT_EQ(graph.Seen("loop"), "0:1 10:1 20:1 30:1");
  EXPECT_EQ(Late(&graph, 1), 4);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

// "n" goes on once its loop is settled at the end, and then "held" does too.
TEST_P(IdleAfterGraphTest, ALoopIsSettledBeforeADeadlockIsReported) {
  TestGraph graph(GetParam(), R"(
    report_deadlock: true
    input_stream: "in"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop" output_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true
                               idle_after { stream: ":0" gap: 15 } } }
    node { calculator: "TestLambda" name: "held" gxf_defaults: true
           input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop" output_stream: "sum" })");
  graph.Give("f", SendSum);
  graph.Observe("sum");
  graph.Start();
  for (const int time : {0, 10, 20, 30}) graph.Add("in", time, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("sum"), 4);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

// The last packets are settled one after the other: the result of each is there
// for the next.
TEST_P(IdleAfterGraphTest, AtTheEndOfALoopEachResultIsInTimeForTheNextCall) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop" output_stream: "sum"
           input_stream_info { tag_index: ":1" back_edge: true
                               idle_after { stream: ":0" gap: 1000 } } }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:delay"
           input_stream: "sum" output_stream: "loop" })");
  graph.Give("f", SendSum);
  graph.Give("delay", [](CalculatorContext* cc) {
    if (cc->InputTimestamp() < Timestamp(40)) {
      cc->Outputs().Index(0).AddPacket(
          cc->Inputs().Index(0).Value().At(cc->InputTimestamp() + 10));
    }
    return absl::OkStatus();
  });
  graph.Observe("sum");
  graph.Start();
  for (const int time : {0, 10, 20, 30}) graph.Add("in", time, 1);
  graph.Finish();
  EXPECT_EQ(graph.Seen("sum"), "0:1 10:2 20:3 30:4 40:4");
  EXPECT_EQ(Late(&graph, 1), 0);
}

TEST_P(IdleAfterGraphTest, QueuesGrowUntilTheGapIsOver) {
  TestGraph graph(GetParam(), Join("", "max_queue_size: 2"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 0; i < 20; ++i) graph.Add("fast", 10 * i, 1);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 10) << "all below 191 - 100";
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 20);
}

TEST_P(IdleAfterGraphTest, WithoutLatePacketsTheResultIsThatOfOrdinaryJoins) {
  std::string seen[2];
  for (const bool with_idle : {false, true}) {
    TestGraph graph(GetParam(), with_idle ? Join() : R"(
      input_stream: "fast" input_stream: "slow"
      node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
             input_stream: "fast" input_stream: "slow" output_stream: "out" })");
    graph.Give("f", SendSum);
    graph.Observe("out");
    graph.Start();
    for (int time = 0; time < 600; time += 10) {
      graph.Add("fast", time, time);
      if (time % 70 == 0) graph.Add("slow", time, 1);
    }
    graph.Finish();
    seen[with_idle ? 1 : 0] = graph.Seen("out");
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_P(IdleAfterGraphTest, PacketsAtSpecialTimesAreLateToo) {
  TestGraph graph(GetParam(), Join());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("fast", 200, 1);
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "slow", MakePacket<int>(10).At(Timestamp::PreStream())));
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "200:1");
  EXPECT_EQ(Late(&graph, 1), 1);
}

// --- What cannot be

absl::Status StartStatus(const std::string& text) {
  CalculatorGraph graph;
  return graph.Initialize(TestConfig(text));
}

TEST(IdleAfterPreparationTest, ADeterministicGraphCannotHaveIt) {
  const absl::Status status = StartStatus(Join("", "deterministic: true"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"n\""), HasSubstr("\"slow\""),
                    HasSubstr("deterministic"), HasSubstr("idle_after")));
}

TEST(IdleAfterPreparationTest, AHandlerThatIgnoresTimeCannotHaveIt) {
  const absl::Status status = StartStatus(Join(
      R"(input_stream_handler {
           input_stream_handler: "BarrierInputStreamHandler" })"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"slow\""), HasSubstr("Barrier")));
}

}  // namespace
}  // namespace syncline
