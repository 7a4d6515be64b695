// A run that ends well although packets were never processed says so in the
// log, once, with what they waited for; a run whose nodes drop packets by their
// rules, or that failed, does not.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/log_capture.h"
#include "framework/graph/workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kWarning[] = "were never processed";

// A join that waits for its own result, which nobody begins.
std::string Loop(int number) {
  return absl::StrCat(R"(
    node { calculator: "TestLambda" name: "join)",
                      number, R"("
           input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop)",
                      number, R"("
           input_stream_info { tag_index: ":1" back_edge: true }
           output_stream: "out)",
                      number, R"(" }
    node { calculator: "TestLambda" name: "back)",
                      number, R"("
           input_side_packet: "PROCESS:f"
           input_stream: "out)",
                      number, R"("
           output_stream: "loop)",
                      number, R"(" })");
}

// Packets that still waited at the end, of the first input of node `node`.
int LeftAtEnd(TestGraph* graph, int node) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  int count = 0;
  for (const DroppedPacketsInfo& dropped :
       info->calculator_infos(node).input_stream_infos(0).dropped_packets()) {
    EXPECT_EQ(dropped.cause(), DroppedPacketsInfo::AT_END);
    count += static_cast<int>(dropped.number_of_packets());
  }
  return count;
}

class PacketsLeftTest : public ::testing::TestWithParam<Workers> {
 protected:
  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(PacketsLeftTest);

TEST_P(PacketsLeftTest, ALoopThatNobodyBeginsIsNamed) {
  TestGraph graph(GetParam(), "input_stream: 'in'" + Loop(1));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(LeftAtEnd(&graph, 0), 3);
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("node \"join1\" (TestLambda) holds "
                                     "packets of \"in\" (3 packets)"));
  EXPECT_THAT(warnings[0], HasSubstr("waits for stream \"loop1\", whose bound "
                                     "is Timestamp::PreStream(), to pass 0; it "
                                     "comes from node \"back1\""));
  EXPECT_THAT(warnings[0], HasSubstr("In a loop somebody has to begin"));
}

TEST_P(PacketsLeftTest, EachRunWarnsOnce) {
  TestGraph graph(GetParam(), "input_stream: 'in'" + Loop(1));
  graph.Give("f", SendSum);
  for (size_t run = 1; run <= 2; ++run) {
    graph.Start();
    graph.Add("in", 0, 1);
    graph.Finish();
    EXPECT_EQ(LeftAtEnd(&graph, 0), 1);
    EXPECT_THAT(log_.With(kWarning), SizeIs(run));
  }
}

TEST_P(PacketsLeftTest, OfManyNodesAFewAreNamed) {
  std::string text = "input_stream: 'in'";
  for (int i = 1; i <= 8; ++i) text += Loop(i);
  TestGraph graph(GetParam(), text);
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Finish();
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("\"join5\""));
  EXPECT_THAT(warnings[0], Not(HasSubstr("\"join6\"")));
  EXPECT_THAT(warnings[0], HasSubstr("And 3 more like these."));
}

// A batch that is not full is processed when the inputs close; here they do not
// close, as each waits for the other.
TEST_P(PacketsLeftTest, ABatchThatWasNeverFullIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "head" input_side_packet: "PROCESS:pass"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "mid" }
    node { calculator: "TestLambda" name: "batch" input_side_packet: "PROCESS:f"
           input_stream: "mid" output_stream: "loop"
           input_stream_handler { options {
             [syncline.DefaultInputStreamHandlerOptions.ext] {
               batch_size: 10 } } } })");
  graph.Give("pass", [](CalculatorContext* cc) {
    return cc->Inputs().Index(0).IsEmpty() ? absl::OkStatus() : SendSum(cc);
  });
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(LeftAtEnd(&graph, 1), 3);
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(
      warnings[0],
      HasSubstr("node \"batch\" (TestLambda) has collected 3 input "
                "sets for a batch that is not full and waits for stream "
                "\"mid\", whose bound is 3, to end; it comes from "
                "node \"head\""));
}

TEST_P(PacketsLeftTest, ANodeThatNeverOpenedIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "maker" output_side_packet: "made" }
    node { calculator: "TestLambda" name: "closed" input_side_packet: "made"
           input_stream: "in" output_stream: "out" }
    node { calculator: "TestLambda" name: "behind" input_stream: "in"
           input_stream: "out" })");
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(LeftAtEnd(&graph, 1), 3);
  EXPECT_EQ(LeftAtEnd(&graph, 2), 3);
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0],
              HasSubstr("is not open: it waits for side packet \"made\" from "
                        "node \"maker\" (TestLambda)."));
  EXPECT_THAT(warnings[0],
              HasSubstr("is not open: it waits for the header of stream "
                        "\"out\" from node \"closed\" (TestLambda)."));
}

// A node whose inputs do not end is closed when all is over. What it sends then
// has nobody to go to.
TEST_P(PacketsLeftTest, WhatIsSentInTheLastCloseIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "n" input_side_packet: "CLOSE:f"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "loop" })");
  graph.Observe("loop");
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(7)));
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Finish();
  EXPECT_EQ(graph.Seen("loop"), "");
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0],
              HasSubstr("node \"n\" (TestLambda) sent 1 packet of \"loop\" in "
                        "Close(), when nobody reads"));
  EXPECT_THAT(warnings[0],
              HasSubstr("\"loop\" (bound Timestamp::PreStream())."));
  EXPECT_THAT(warnings[0], Not(HasSubstr("\"in\"")));
}

// --- No warning

TEST_P(PacketsLeftTest, NothingIsSaidWhereAllWasProcessed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" output_stream: "out" })");
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("a", i, 1);
  graph.Finish();
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

TEST_P(PacketsLeftTest, NothingIsSaidWhereTheRuleIsToDrop) {
  for (const char* const handler :
       {"FixedSizeInputStreamHandler", "EarlyCloseInputStreamHandler",
        "BarrierInputStreamHandler"}) {
    TestGraph graph(GetParam(), absl::StrCat(R"(
      input_stream: "a" input_stream: "b"
      node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
             input_stream: "a" input_stream: "b" output_stream: "out"
             input_stream_handler { input_stream_handler: ")",
                                             handler, "\" } }"));
    graph.Give("f", SendSum);
    graph.Start();
    for (int i = 0; i < 5; ++i) graph.Add("a", i, 1);
    graph.Close("b");
    graph.Idle();
    graph.Add("a", 10, 1);
    graph.Finish();
    const absl::StatusOr<GraphRuntimeInfo> info =
        graph.graph().GetGraphRuntimeInfo();
    SYNCLINE_ASSERT_OK(info.status());
    EXPECT_GT(
        info->calculator_infos(0).input_stream_infos(0).dropped_packets_size(),
        0)
        << handler;
  }
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

TEST_P(PacketsLeftTest, NothingIsSaidAfterAnErrorOrACancel) {
  for (const bool is_cancelled : {true, false}) {
    TestGraph graph(GetParam(), "input_stream: 'in'" + Loop(1));
    graph.Give("f", SendSum);
    graph.Start();
    graph.Add("in", 0, 1);
    graph.Idle();
    if (is_cancelled) {
      graph.graph().Cancel();
    } else {
      graph.graph().RecordError(absl::InternalError("of the application"));
    }
    EXPECT_FALSE(graph.FinishWithStatus().ok());
  }
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

}  // namespace
}  // namespace syncline
