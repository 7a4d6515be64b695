// One graph, many runs: with other side packets, after errors and cancels, with
// pollers and observers that stay. No run sees anything of the one before.
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kGraph[] = R"pb(
  max_queue_size: 3
  input_stream: "in"
  input_side_packet: "first"
  node {
    calculator: "SidePacketSumCalculator"
    input_side_packet: "first"
    output_side_packet: "made"
    options {
      [syncline.TestCalculatorOptions.ext] { value: 100 }
    }
  }
  node {
    calculator: "SidePacketSumCalculator"
    name: "adds"
    input_side_packet: "made"
    input_stream: "in"
    output_stream: "sum"
  }
  node {
    calculator: "LambdaCalculator"
    name: "then"
    input_side_packet: "PROCESS:then"
    input_stream: "sum"
    output_stream: "out"
  }
  node {
    calculator: "RunningCountCalculator"
    input_stream: "out"
    output_stream: "count"
  })pb";

absl::Status Pass(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

class SeveralRunsTest : public WorkersTest {
 protected:
  // A run that has to go well whatever came before it.
  static void ExpectRunsWell(GraphHarness* graph, int first) {
    graph->SetSidePacket("first", MakePacket<int>(first));
    graph->SetFunction("then", Pass);
    SYNCLINE_ASSERT_OK(graph->Start());
    graph->Feed("in", {{0, 1}, {1, 2}});
    SYNCLINE_ASSERT_OK(graph->Finish());
    graph->Expect("out", {{0, 101 + first}, {1, 102 + first}});
    graph->Expect("count", {{0, 1}, {1, 2}});
    const auto made = graph->graph().GetOutputSidePacket("made");
    SYNCLINE_ASSERT_OK(made.status());
    EXPECT_EQ(made->Get<int>(), 100 + first);
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(SeveralRunsTest);

TEST_P(SeveralRunsTest, EachWithItsOwnSidePackets) {
  GraphHarness graph(kGraph, GetParam());
  for (const int first : {1, 2, 2, 1, 5}) ExpectRunsWell(&graph, first);
}

TEST_P(SeveralRunsTest, AfterAStartThatFailed) {
  GraphHarness graph(kGraph, GetParam());
  graph.SetFunction("then", Pass);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(graph.Start().message(), HasSubstr("\"first\""));
    EXPECT_FALSE(graph.graph().HasError());
  }
  graph.SetSidePacket("first", MakePacket<std::string>("no number"));
  EXPECT_THAT(graph.Start().message(), HasSubstr("\"first\""));
  ExpectRunsWell(&graph, 3);
}

TEST_P(SeveralRunsTest, AfterErrorsCancelsAndRunsWithoutInput) {
  GraphHarness graph(kGraph, GetParam());
  graph.SetSidePacket("first", MakePacket<int>(0));
  for (int i = 0; i < 3; ++i) {
    graph.SetFunction(
        "then", [](CalculatorContext*) { return absl::DataLossError("lost"); });
    SYNCLINE_ASSERT_OK(graph.Start());
    // What is left in queues must not be there in the next run.
    for (int t = 0; t < 3; ++t) graph.Add("in", t, 7).IgnoreError();
    EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kDataLoss));
    ExpectRunsWell(&graph, i);

    SYNCLINE_ASSERT_OK(graph.Start());
    graph.graph().Pause();
    graph.Feed("in", {{0, 7}});
    graph.graph().Cancel();
    EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
    ExpectRunsWell(&graph, i);

    SYNCLINE_ASSERT_OK(graph.Start());
    SYNCLINE_EXPECT_OK(graph.Finish());
    graph.Expect("count", {});
    ExpectRunsWell(&graph, i);
  }
}

TEST_P(SeveralRunsTest, TimesStartAnewInEachRun) {
  GraphHarness graph(kGraph, GetParam());
  graph.SetSidePacket("first", MakePacket<int>(0));
  graph.SetFunction("then", Pass);
  for (const Timestamp time :
       {Timestamp::Max(), Timestamp(5), Timestamp::PreStream(),
        Timestamp::PostStream(), Timestamp::Min()}) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{time, 1}});
    SYNCLINE_EXPECT_OK(graph.Finish());
    graph.Expect("out", {{time, 101}});
  }
}

TEST_P(SeveralRunsTest, APollerStartsAnewAlsoIfItWasNotRead) {
  GraphHarness graph(kGraph, GetParam());
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.SetSidePacket("first", MakePacket<int>(0));
  graph.SetFunction("then", Pass);
  for (int run = 0; run < 6; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{run, run}, {run + 1, run}});
    if (run % 2 == 0) {
      SYNCLINE_EXPECT_OK(graph.Finish());
      EXPECT_EQ(poller->QueueSize(), 2);
      continue;
    }
    Packet packet;
    ASSERT_TRUE(poller->Next(&packet));
    EXPECT_THAT(packet, PacketIs<int>(run, 100 + run));
    if (run % 3 == 0) graph.graph().Cancel();
    graph.Finish().IgnoreError();
    poller->Reset();
    EXPECT_FALSE(poller->Next(&packet));
  }
}

TEST_P(SeveralRunsTest, AnObserverThatFailedIsCalledAgainInTheNextRun) {
  GraphHarness graph(kGraph, GetParam());
  bool fails = true;
  int calls = 0;
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("out", [&](const Packet&) {
        ++calls;
        return fails ? absl::DataLossError("lost") : absl::OkStatus();
      }));
  graph.SetSidePacket("first", MakePacket<int>(0));
  graph.SetFunction("then", Pass);
  for (int run = 0; run < 3; ++run) {
    fails = true;
    calls = 0;
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Add("in", 0, 1).IgnoreError();
    graph.Add("in", 1, 1).IgnoreError();
    EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kDataLoss));
    EXPECT_EQ(calls, 1);
    fails = false;
    ExpectRunsWell(&graph, run);
    EXPECT_EQ(calls, 3);
  }
}

TEST_P(SeveralRunsTest, QueueLimitsOfInputsHoldFromTheNextRunOn) {
  GraphHarness graph(kGraph, GetParam());
  ExpectRunsWell(&graph, 0);
  CalculatorGraph& inner = graph.graph();
  for (const int bad : {0, -2, std::numeric_limits<int>::min()}) {
    EXPECT_THAT(
        inner.SetInputStreamMaxQueueSize("in", bad),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"in\"")));
  }
  EXPECT_THAT(inner.SetInputStreamMaxQueueSize("no", 1),
              StatusIs(absl::StatusCode::kNotFound));
  for (const int good : {1, -1, std::numeric_limits<int>::max()}) {
    SYNCLINE_EXPECT_OK(inner.SetInputStreamMaxQueueSize("in", good));
    ExpectRunsWell(&graph, good == 1 ? 1 : 2);
  }
}

}  // namespace
}  // namespace syncline
