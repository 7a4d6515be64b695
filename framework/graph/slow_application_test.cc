// Full queues where the application is what is slow: it has not read a poller,
// or not fed an input yet. That is no deadlock, however long it takes.

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using AddMode = CalculatorGraph::GraphInputStreamAddMode;

class SlowApplicationTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SlowApplicationTest);

constexpr char kPolled[] = R"(
    max_queue_size: 2
    node { calculator: "TestLambda" input_side_packet: "PROCESS:one"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:two"
           output_stream: "b" }
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })";

TEST_P(SlowApplicationTest, APollerThatIsReadLateIsNoDeadlock) {
  TestGraph graph(GetParam(), kPolled);
  graph.Give("one", CountTo(3000));
  graph.Give("two", CountTo(3000));
  graph.Give("sum", SendSum);
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(2);
  graph.Start();
  graph.graph().WaitUntilIdle().IgnoreError();
  Packet packet;
  int count = 0;
  while (poller->Next(&packet)) ++count;
  EXPECT_EQ(count, 3001);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

TEST_P(SlowApplicationTest, AddIfNotFullRefusesAndNeverEndsTheRun) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Observe("c");
  graph.Start();
  int accepted = 0;
  absl::Status status;
  for (int i = 0; i < 3000 && status.ok(); ++i) {
    status = graph.graph().AddPacketToInputStream(
        "a", MakePacket<int>(i).At(Timestamp(i)));
    if (status.ok()) ++accepted;
    graph.graph().WaitUntilIdle().IgnoreError();
  }
  EXPECT_THAT(std::string(status.message()), HasSubstr("Graph is throttled"));
  SYNCLINE_EXPECT_OK(graph.graph().CloseInputStream("b"));
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
  EXPECT_EQ(graph.Count("c"), accepted);
}

TEST_P(SlowApplicationTest, ASourceStopsAtTheLimit) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" })");
  graph.Give("count", CountTo(50));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(3);
  graph.Start();
  graph.Idle();
  EXPECT_EQ(poller->QueueSize(), 3);
  poller->SetMaxQueueSize(-1);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

TEST_P(SlowApplicationTest, APollerThatIsDestroyedHoldsNothingBack) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" })");
  graph.Give("count", CountTo(500));
  graph.Observe("a");
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  auto other = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(other.status());
  poller->SetMaxQueueSize(3);
  other->SetMaxQueueBytes(8 * sizeof(int));
  graph.Start();
  graph.Idle();
  EXPECT_EQ(graph.Count("a"), 3);
  // Another poller in its place is the end of the first one too.
  *poller = *std::move(other);
  graph.Idle();
  EXPECT_EQ(graph.Count("a"), 8);
  { const OutputStreamPoller last = *std::move(poller); }
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_EQ(graph.Count("a"), 501);
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("a"), 501);
}

// Two inputs, one with a limit in bytes: whoever waits to add goes on.
TEST_P(SlowApplicationTest, WhoWaitsForAPollerToBeReadGoesOnWhenItIsDestroyed) {
  TestGraph graph(GetParam(), "input_stream: \"a\" input_stream: \"b\"");
  graph.Observe("a");
  graph.Observe("b");
  auto of_a = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(of_a.status());
  auto of_b = graph.graph().AddOutputStreamPoller("b");
  SYNCLINE_ASSERT_OK(of_b.status());
  of_a->SetMaxQueueSize(1);
  of_b->SetMaxQueueBytes(1);
  graph.Start();
  std::vector<std::thread> threads;
  for (const char* const stream : {"a", "b"}) {
    threads.emplace_back([&graph, stream] {
      for (int i = 0; i < 20; ++i) graph.Add(stream, i, i);
    });
  }
  while (graph.Count("a") == 0 || graph.Count("b") == 0) {
    std::this_thread::yield();
  }
  { const OutputStreamPoller last = *std::move(of_a); }
  { const OutputStreamPoller last = *std::move(of_b); }
  for (std::thread& thread : threads) thread.join();
  graph.Finish();
  EXPECT_EQ(graph.Count("a"), 20);
  EXPECT_EQ(graph.Count("b"), 20);
}

TEST_P(SlowApplicationTest, ASourceWaitsForAnApplicationThatIsSlower) {
  TestGraph graph(GetParam(), R"(
    input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(4999));
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  graph.graph().WaitUntilIdle().IgnoreError();
  absl::Status status;
  for (int i = 0; i < 5000 && status.ok(); ++i) {
    status = graph.graph().AddPacketToInputStream(
        "b", MakePacket<int>(1).At(Timestamp(i)));
  }
  SYNCLINE_EXPECT_OK(status);
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
  EXPECT_EQ(graph.Count("c"), 5000);
}

}  // namespace
}  // namespace syncline
