// What is told of runs whose nodes wait for packets and bounds: those of other
// nodes, of loops, of the application, or of queues that are full.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/standstill_watch_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/test_lambda.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_P(StandstillWatchTest, AJoinWhoseSecondInputGetsNothing) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 1'500'000, 1);
  const std::string text = ToldOf(&graph);
  EXPECT_THAT(text,
              StartsWith("\"join\" waits for stream \"b\" up to 1,500,000, and "
                         "the application, which sends it, has not sent that, "
                         "nor closed it.\nWhat to do: Add packets to \"b\""));
  EXPECT_THAT(text, HasSubstr("\nWho waits for the run: WaitUntilDone().\n"));
}

TEST_P(StandstillWatchTest, ABackEdgeThatNobodyStarts) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "merge" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:loop" output_stream: "merged"
           input_side_packet: "PROCESS:sum"
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "state" calculator: "TestLambda" input_stream: "merged"
           input_side_packet: "PROCESS:sum" output_stream: "loop" })");
  graph.Give("sum", SendSum);
  Start(&graph);
  graph.Add("in", 7, 1);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"merge\" waits for stream \"loop\" up to 7, a back "
                         "edge, which nothing has started: \"state\" sends it "
                         "only after \"merge\" has sent something.\n"));
}

TEST_P(StandstillWatchTest, APollerWhoseGraphInputWasLeftOpen) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pass" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  graph.Add("in", 7, 1);
  std::string text;
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
  }
  EXPECT_THAT(text,
              AllOf(StartsWith("\"pass\" waits for stream \"in\", and the "
                               "application, which sends it, has not sent "
                               "that, nor closed it.\n"),
                    HasSubstr("Who waits for the run: Next() of a poller of "
                              "\"out\"")));
}

TEST_P(StandstillWatchTest, APollerThatNobodyReadsHoldsASourceBack) {
  TestGraph graph(GetParam(), R"(
    node { name: "source" calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count" })");
  graph.Give("count", CountTo(9));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(2);
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"source\" is paused by the full poller of stream "
                         "\"a\", which the application does not read.\n"));
}

// Sends its first input on, and then waits for the answer, as a flow limiter
// does.
TestFunction LimitToOne() {
  auto has_sent = std::make_shared<std::atomic<bool>>(false);
  return [has_sent](CalculatorContext* cc) {
    const InputStream& in = cc->Inputs().Get("X", 0);
    if (in.IsEmpty() || has_sent->exchange(true)) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(in.Get<int>()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  };
}

// "detector" sends nothing, so the limiter lets one packet through.
constexpr char kLimiter[] = R"(
    input_stream: "in"
    node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:done" output_stream: "some"
           input_side_packet: "PROCESS:limit"
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "detector" calculator: "TestLambda" input_stream: "some"
           output_stream: "done" })";

TEST_P(StandstillWatchTest, AFlowLimiterWhoseFinishedNeverComes) {
  TestGraph graph(GetParam(), kLimiter);
  graph.Give("limit", LimitToOne());
  auto poller = graph.graph().AddOutputStreamPoller("done");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  std::string text;
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
  }
  EXPECT_THAT(text, StartsWith("\"limiter\" waits for stream \"done\", and "
                               "\"detector\", which sends it, has taken 1 "
                               "packet, and has sent none on \"done\".\n"));
}

// Nobody reads an output: the application waits until the run is done.
TEST_P(StandstillWatchTest, AFlowLimiterIsNamedThoughNobodyReadsAnOutput) {
  TestGraph graph(GetParam(), kLimiter);
  graph.Give("limit", LimitToOne());
  graph.Observe("done");
  Start(&graph);
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"limiter\" waits for stream \"done\", and "
                         "\"detector\", which sends it, has taken 1 "
                         "packet, and has sent none on \"done\".\n"));
}

TEST_P(StandstillWatchTest, ADiamondOfFullQueues) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in" max_queue_size: 1 report_deadlock: true
    node { name: "all" calculator: "TestLambda" input_stream: "in"
           output_stream: "l" input_side_packet: "PROCESS:sum" }
    node { name: "none" calculator: "TestLambda" input_stream: "in"
           output_stream: "r" }
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:l"
           input_stream: "X:1:r" })");
  graph.Give("sum", SendSum);
  Start(&graph);
  for (int i = 0; i < 9 && graph.AddWithStatus("in", i, i).ok(); ++i) {
  }
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  const std::string text(status.message());
  EXPECT_THAT(text, HasSubstr("\"join\" waits for stream \"r\" up to 0, and "
                              "\"none\", which sends it, promises no bounds "
                              "while it sends nothing.\nDetected a deadlock"));
}

TEST_P(StandstillWatchTest, AGraphInputThatTheApplicationDoesNotClose) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("the run waits for the end of graph input \"a\", and "
                         "the application, which sends it, has not sent that, "
                         "nor closed it.\n"));
}

TEST_P(StandstillWatchTest, ARunThatTheApplicationHasPaused) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  graph.graph().Pause();
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("the application has paused the run with Pause()."));
}

}  // namespace
}  // namespace syncline
