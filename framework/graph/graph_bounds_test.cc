// How bounds travel through a graph, and what they make ready.

#include <atomic>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class GraphBoundsTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphBoundsTest);

// A filter that drops odd values, with or without an offset, then a join.
std::string FilterAndJoin(const std::string& filter) {
  return R"(
    input_stream: "a"
    node { calculator: ")" +
         filter + R"(" input_side_packet: "PROCESS:even"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" }
  )";
}

absl::Status SendEven(CalculatorContext* cc) {
  return cc->Inputs().Index(0).Get<int>() % 2 == 0 ? SendSum(cc)
                                                   : absl::OkStatus();
}

TEST_P(GraphBoundsTest, AnOffsetLetsAJoinGoOnWhereAFilterSendsNothing) {
  TestGraph graph(GetParam(), FilterAndJoin("TestLambdaOffset"));
  graph.Give("even", SendEven);
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1");
  graph.Add("a", 20, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1 20:4");
  graph.Finish();
}

TEST_P(GraphBoundsTest, WithoutAnOffsetTheJoinWaits) {
  TestGraph graph(GetParam(), FilterAndJoin("TestLambda"));
  graph.Give("even", SendEven);
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "");
  graph.Add("a", 20, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1 20:4");
  graph.Finish();
}

TEST_P(GraphBoundsTest, ABoundPassesThroughManyNodesThatAreNotCalled) {
  std::string text = R"(input_stream: "a" input_stream: "s0" )";
  for (int i = 0; i < 20; ++i) {
    text += "node { calculator: 'TestLambdaOffset' input_stream: 's" +
            std::to_string(i) + "' output_stream: 's" + std::to_string(i + 1) +
            "' } ";
  }
  text += R"(node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
                    input_stream: "a" input_stream: "s20"
                    output_stream: "out" })";
  TestGraph graph(GetParam(), text);
  graph.Give("sum", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 10, 7);
  graph.SetBound("s0", 10);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "") << "10 may still come";
  graph.SetBound("s0", 11);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:7");
  graph.Finish();
}

TEST_P(GraphBoundsTest, ABoundThatIsSetLetsReadersGoOn) {
  TestGraph graph(GetParam(), FilterAndJoin("TestLambda"));
  graph.Give("even", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).SetNextTimestampBound(
        cc->InputTimestamp().NextAllowedInStream());
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1");
  graph.Finish();
}

TEST_P(GraphBoundsTest, AnEmptyPacketIsABound) {
  TestGraph graph(GetParam(), FilterAndJoin("TestLambda"));
  graph.Give("even", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(Packet().At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1");
  graph.Finish();
}

TEST_P(GraphBoundsTest, ClosingAnOutputSettlesItForGood) {
  TestGraph graph(GetParam(), FilterAndJoin("TestLambda"));
  graph.Give("even", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).Close();
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Add("a", 20, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "10:1 20:2");
  graph.Finish();
}

TEST_P(GraphBoundsTest, ABoundThatGoesBackIsAnError) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" name: "setter"
           input_side_packet: "PROCESS:set"
           input_stream: "a" output_stream: "b" })");
  graph.Give("set", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).SetNextTimestampBound(
        Timestamp(100 - cc->InputTimestamp().Value()));
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Add("a", 20, 1);
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(status.message(), HasSubstr("\"setter\""));
}

TEST_P(GraphBoundsTest, WithAnOffsetALowerBoundIsNoNews) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:set"
           input_stream: "a" output_stream: "b" })");
  graph.Give("set", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(5));
    return absl::OkStatus();
  });
  graph.Observe("b", /*with_bounds=*/true);
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  graph.Add("a", 20, 1);
  graph.Idle();
  EXPECT_THAT(graph.Seen("b"), HasSubstr("10- "));
  EXPECT_THAT(graph.Seen("b"), HasSubstr("20-"));
  graph.Finish();
}

TEST_P(GraphBoundsTest, BoundsMakeCallsOfANodeThatProcessesThem) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambdaBounds" input_side_packet: "PROCESS:note"
           input_stream: "a" output_stream: "b" })");
  graph.Give("note", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).IsEmpty() ? 0 : 1)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Observe("b");
  graph.Start();
  graph.SetBound("a", 10);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "9:0");
  graph.Add("a", 10, 5);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "9:0 10:1");
  graph.SetBound("a", 30);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "9:0 10:1 29:0");
  graph.Finish();
  EXPECT_EQ(graph.Seen("b"), "9:0 10:1 29:0") << "the end makes no call";
}

TEST_P(GraphBoundsTest, AnObserverOfBoundsSeesHowFarAStreamIsSettled) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:even"
           input_stream: "a" output_stream: "b" })");
  graph.Give("even", SendEven);
  graph.Observe("b", /*with_bounds=*/true);
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  graph.Add("a", 20, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "10- 20:2");
  graph.Finish();
}

TEST_P(GraphBoundsTest, ALoopGoesRoundWithABackEdge) {
  // The sum so far comes back as an input; the first one has nothing to meet.
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:add"
           input_stream: "a" input_stream: "previous"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "sum" }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:pass"
           input_stream: "sum" output_stream: "previous" })");
  auto total = std::make_shared<int>(0);
  graph.Give("add", [total](CalculatorContext* cc) {
    if (!cc->Inputs().Index(1).IsEmpty()) {
      *total = cc->Inputs().Index(1).Get<int>();
    }
    if (!cc->Inputs().Index(0).IsEmpty()) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(*total + cc->Inputs().Index(0).Get<int>())
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  });
  graph.Give("pass", SendSum);
  graph.Observe("sum");
  graph.Start();
  for (int i = 1; i <= 5; ++i) {
    graph.Add("a", i, i);
    graph.Idle();
  }
  EXPECT_EQ(graph.Seen("sum"), "1:1 2:3 3:6 4:10 5:15");
  graph.graph().Cancel();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(GraphBoundsTest, APreStreamPacketIsTheOnlyOneOfItsStream) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_side_packet: "CLOSE:close"
           input_stream: "a" output_stream: "b" })");
  graph.Give("sum", SendSum);
  std::atomic<int> closed{0};
  graph.Give("close", [&](CalculatorContext*) {
    ++closed;
    return absl::OkStatus();
  });
  graph.Observe("b");
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "a", MakePacket<int>(3).At(Timestamp::PreStream())));
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "Timestamp::PreStream():3");
  EXPECT_EQ(closed, 1) << "nothing can come after it";
  graph.Finish();
}

TEST_P(GraphBoundsTest, APreStreamPacketEndsItsOwnStreamOnly) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "a", MakePacket<int>(3).At(Timestamp::PreStream())));
  graph.Add("b", 1, 10);
  // The sum at PreStream is the only packet of "c", so the next one is refused:
  // the node was called for it.
  EXPECT_THAT(graph.FinishWithStatus().message(), HasSubstr("received 1"));
}

TEST_P(GraphBoundsTest, APostStreamPacketComesWhenTheOthersHaveEnded) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "a", MakePacket<int>(3).At(Timestamp::PostStream())));
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "");
  graph.Close("b");
  graph.Idle();
  EXPECT_EQ(graph.Seen("c"), "Timestamp::PostStream():3");
  graph.Finish();
}

}  // namespace
}  // namespace syncline
