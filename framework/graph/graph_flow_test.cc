// What holds packets back: back-pressure, calls that overlap, and threads that
// feed a graph or wait for each other in it. Calls that wait for each other
// need two threads, and have no seeds.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class GraphFlowTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphFlowTest);

// --- Back-pressure

TEST_P(GraphFlowTest, AFullQueuePausesItsSource) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 3
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "b" })");
  Backlog backlog;
  graph.Give("count", backlog.Sends(CountTo(200)));
  graph.Give("slow", backlog.Takes());
  graph.Observe("b");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(backlog.taken(), 201);
  // Three in the queue, one taken out of it, one on its way.
  EXPECT_LE(backlog.most(), 6);
}

TEST_P(GraphFlowTest, AddIfNotFullRefusesAndLosesNothing) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:block"
           input_stream: "b" })");
  LongCall long_call;
  if (GetParam().is_application_thread()) long_call.End();
  graph.Give("sum", SendSum);
  // Keeps the graph busy, so that it does not find itself in a deadlock.
  graph.Give("block", long_call.Function());
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Observe("c");
  graph.Start();
  graph.Add("b", 0, 1);
  int accepted = 0;
  absl::Status status;
  for (int i = 1; i < 100 && status.ok(); ++i) {
    status = graph.AddWithStatus("a", i, i);
    if (status.ok()) ++accepted;
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("Graph is throttled."));
  EXPECT_GE(accepted, 2);
  long_call.End();
  graph.Close("b");
  graph.Finish();
  EXPECT_EQ(graph.Count("c"), accepted + 1);
}

TEST_P(GraphFlowTest, ReportsADeadlockWhereAskedTo) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2 report_deadlock: true
    input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(100));
  graph.Give("sum", SendSum);
  graph.Start();
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              HasSubstr("Detected a deadlock due to input throttling"));
  EXPECT_THAT(status.message(), HasSubstr("\"join\""));
  EXPECT_THAT(status.message(), HasSubstr("\"b\""));
  EXPECT_THAT(status.message(), HasSubstr("report_deadlock"));
}

TEST_P(GraphFlowTest, QueuesGrowWhereADetourNeedsIt) {
  // The join gets nothing from the detour until 20 packets went in.
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:late"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(59));
  graph.Give("late", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 20 == 19) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(1000).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("c"), 60);
}

TEST_P(GraphFlowTest, APollerWithALimitHoldsTheSourceBack) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 1
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" })");
  graph.Give("count", CountTo(1000));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(3);
  graph.Start();
  graph.Idle();
  EXPECT_EQ(poller->QueueSize(), 3);
  int count = 0;
  Packet packet;
  while (poller->Next(&packet)) {
    EXPECT_EQ(packet.Get<int>(), count);
    ++count;
  }
  EXPECT_EQ(count, 1001);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

// --- Overlapping calls

TEST_P(GraphFlowTest, ResultsOfOverlappingCallsComeInTheOrderOfInputs) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:uneven"
           max_in_flight: 4 input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:check"
           input_stream: "b" })");
  graph.Give("count", CountTo(400));
  graph.Give("uneven", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 7 == 0) {
      absl::SleepFor(absl::Microseconds(300));
    }
    return SendSum(cc);
  });
  std::atomic<int> next{0};
  graph.Give("check", [&](CalculatorContext* cc) {
    EXPECT_EQ(cc->Inputs().Index(0).Get<int>(), next.fetch_add(1));
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(next, 401);
}

TEST_P(GraphFlowTest, CallsDoOverlap) {
  if (GetParam().threads < 2) GTEST_SKIP() << "two calls wait for each other";
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:meet"
           max_in_flight: 2 input_stream: "a" output_stream: "b" })");
  graph.Give("count", CountTo(1));
  std::atomic<int> inside{0};
  graph.Give("meet", [&](CalculatorContext*) {
    ++inside;
    while (inside < 2) absl::SleepFor(absl::Milliseconds(1));
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
}

// --- Several threads

TEST_P(GraphFlowTest, ManyThreadsMayFeedOneGraph) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  std::vector<std::thread> feeders;
  for (const char* const stream : {"a", "b"}) {
    feeders.emplace_back([&graph, stream] {
      for (int i = 0; i < 300; ++i) graph.Add(stream, i, 1);
    });
  }
  for (std::thread& feeder : feeders) feeder.join();
  graph.Finish();
  EXPECT_EQ(graph.Count("c"), 300);
}

TEST_P(GraphFlowTest, ABusyShortCallThatBlocksDoesNotKeepOthersWaiting) {
  if (GetParam().threads < 2) GTEST_SKIP() << "two calls wait for each other";
  // The first call of "blocker" that is not short waits for "opener", which is
  // queued behind it: a second thread has to come for that.
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:opener"
           input_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:blocker"
           input_stream: "a" })");
  graph.Give("count", CountTo(2000));
  std::atomic<int> opened{-1};
  graph.Give("opener", [&](CalculatorContext* cc) {
    opened = static_cast<int>(cc->InputTimestamp().Value());
    return absl::OkStatus();
  });
  graph.Give("blocker", [&](CalculatorContext* cc) {
    if (cc->InputTimestamp() == Timestamp(1500)) {
      while (opened < 1500) absl::SleepFor(absl::Milliseconds(1));
    }
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
}

}  // namespace
}  // namespace syncline
