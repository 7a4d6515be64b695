// Limits of queues, in packets and in bytes, and what an application that feeds
// a full graph sees of them. Every packet here is an int: 4 bytes.

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/output_stream_poller.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using AddMode = CalculatorGraph::GraphInputStreamAddMode;

absl::Status Add(TestGraph* graph, const std::string& stream, int i) {
  return graph->graph().AddPacketToInputStream(
      stream, MakePacket<int>(i).At(Timestamp(i)));
}

// A call that lasts until it may end.
class Gate {
 public:
  TestFunction Function() {
    return [this](CalculatorContext* cc) {
      MutexLock lock(&mutex_);
      is_reached_ = true;
      changed_.SignalAll();
      while (!is_open_) changed_.Wait(&mutex_);
      return cc->Outputs().NumEntries() > 0 ? SendSum(cc) : absl::OkStatus();
    };
  }
  void WaitUntilReached() {
    MutexLock lock(&mutex_);
    while (!is_reached_) changed_.Wait(&mutex_);
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool is_reached_ = false;
  bool is_open_ = false;
};

// The second parameter allows for two packets, in one way or the other.
class GraphLimitsTest
    : public ::testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  int threads() const { return std::get<0>(GetParam()); }
  std::string Graph(const std::string& text) const {
    return std::get<1>(GetParam()) + text;
  }
};
INSTANTIATE_TEST_SUITE_P(
    Limits, GraphLimitsTest,
    ::testing::Combine(::testing::Values(0, 1, 2, 8),
                       ::testing::Values("max_queue_size: 2 ",
                                         "max_queue_bytes: 8 ",
                                         "max_queue_size: -1 "
                                         "max_queue_bytes: 8 ")));

TEST_P(GraphLimitsTest, AFullQueuePausesItsSource) {
  TestGraph graph(threads(), Graph(R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "b" })"));
  std::atomic<int> sent{0};
  std::atomic<int> taken{0};
  std::atomic<int> most{0};
  graph.Give("count", [&, count = CountTo(200)](CalculatorContext* cc) {
    ++sent;
    return count(cc);
  });
  graph.Give("slow", [&](CalculatorContext* cc) {
    most = std::max<int>(most, sent - taken);
    ++taken;
    return SendSum(cc);
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(taken, 201);
  // Two in the queue, one taken out of it, one on its way.
  EXPECT_LE(most, 5);
}

TEST_P(GraphLimitsTest, QueuesGrowWhereADetourNeedsIt) {
  TestGraph graph(threads(), Graph(R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:late"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })"));
  graph.Give("count", CountTo(29));
  graph.Give("late", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 10 == 9) return SendSum(cc);
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Count("c"), 30);
  }
}

TEST_P(GraphLimitsTest, AtTheCeilingTheRunEndsWithWhoWaitsForWhat) {
  TestGraph graph(threads(), Graph(R"(
    max_queue_size_ceiling: 20 max_queue_bytes_ceiling: 80
    input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })"));
  graph.Give("count", CountTo(1000));
  graph.Give("sum", SendSum);
  graph.Start();
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("deadlock"),
                    HasSubstr("ceiling of 20 packets, or of 80 bytes"),
                    HasSubstr("\"join\""), HasSubstr("waits for stream \"b\""),
                    HasSubstr("20 packets"), HasSubstr("max_queue_bytes")));
}

TEST_P(GraphLimitsTest, AddIfNotFullRefusesWhileOneOfSeveralReadersIsFull) {
  TestGraph graph(threads(), Graph(R"(
    input_stream: "a" input_stream: "b" input_stream: "busy"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "fast" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:gate"
           input_stream: "busy" })"));
  Gate gate;
  if (threads() == 0) gate.Open();
  graph.Give("sum", SendSum);
  // Keeps the graph busy, so that it does not find itself in a deadlock.
  graph.Give("gate", gate.Function());
  graph.Observe("fast");
  graph.Observe("c");
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("busy", 0, 0);
  SYNCLINE_EXPECT_OK(Add(&graph, "a", 0));
  SYNCLINE_EXPECT_OK(Add(&graph, "a", 1));
  const absl::Status status = Add(&graph, "a", 2);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("throttled"), HasSubstr("\"a\"")));
  SYNCLINE_EXPECT_OK(Add(&graph, "b", 0)) << "that one has room";
  gate.Open();
  graph.Close("b");
  graph.Idle();
  SYNCLINE_EXPECT_OK(Add(&graph, "a", 2)) << "now there is room";
  graph.Finish();
  EXPECT_EQ(graph.Count("fast"), 3);
  EXPECT_EQ(graph.Count("c"), 3);
}

TEST_P(GraphLimitsTest, AddWaitsForRoomInEveryReader) {
  TestGraph graph(threads(), Graph(R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "c" output_stream: "d" })"));
  std::atomic<int> added{0};
  std::atomic<int> taken{0};
  std::atomic<int> most{0};
  graph.Give("sum", SendSum);
  graph.Give("slow", [&](CalculatorContext* cc) {
    most = std::max<int>(most, added - taken);
    ++taken;
    return SendSum(cc);
  });
  graph.Observe("d");
  graph.Start();
  for (int i = 0; i < 200; ++i) {
    graph.Add("a", i, 1);
    ++added;
  }
  graph.Finish();
  EXPECT_EQ(graph.Count("d"), 200);
  // Two in the queue and one in the call.
  EXPECT_LE(most, 3);
}

TEST_P(GraphLimitsTest, CancelWakesWhoWaits) {
  if (threads() == 0) GTEST_SKIP() << "who waits is the worker";
  TestGraph graph(threads(), Graph(R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:gate"
           input_stream: "a" })"));
  Gate gate;
  graph.Give("gate", gate.Function());
  graph.Start();
  absl::Status status;
  std::thread adder([&] {
    for (int i = 0; status.ok(); ++i) status = Add(&graph, "a", i);
  });
  gate.WaitUntilReached();
  graph.graph().Cancel();
  adder.join();  // while the call goes on
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  gate.Open();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(GraphLimitsTest, CloseWakesWhoWaitsAndRefusesItsPacket) {
  if (threads() == 0) GTEST_SKIP() << "who waits is the worker";
  TestGraph graph(threads(), Graph(R"(
    input_stream: "a" input_stream: "other"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:gate"
           input_stream: "a" output_stream: "b" })"));
  Gate gate;
  graph.Give("gate", gate.Function());
  graph.Observe("b");
  graph.Start();
  std::atomic<int> added{0};
  absl::Status status;
  std::thread adder([&] {
    for (int i = 0; status.ok(); ++i) {
      status = Add(&graph, "a", i);
      if (status.ok()) ++added;
    }
  });
  gate.WaitUntilReached();
  graph.Close("a");
  adder.join();  // while the call goes on, and the queue is full
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("closed"));
  gate.Open();
  graph.Finish();
  EXPECT_EQ(graph.Count("b"), added);
}

TEST_P(GraphLimitsTest, AFullAndClosedInputIsClosed) {
  if (threads() == 0) GTEST_SKIP() << "nothing runs while nobody waits";
  TestGraph graph(threads(), Graph(R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:gate"
           input_stream: "a" })"));
  Gate gate;
  graph.Give("gate", gate.Function());
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("a", 0, 0);
  gate.WaitUntilReached();
  graph.Add("a", 1, 0);
  graph.Add("a", 2, 0);
  EXPECT_EQ(Add(&graph, "a", 3).code(), absl::StatusCode::kUnavailable);
  graph.Close("a");
  EXPECT_EQ(Add(&graph, "a", 3).code(), absl::StatusCode::kFailedPrecondition);
  gate.Open();
  graph.Finish();
}

TEST_P(GraphLimitsTest, EveryKindOfNodeGetsAllPackets) {
  for (const char* const kind :
       {"", "max_in_flight: 3",
        "input_stream_handler { "
        "  input_stream_handler: 'ImmediateInputStreamHandler' }",
        "input_stream_handler { "
        "  input_stream_handler: 'BarrierInputStreamHandler' }"}) {
    TestGraph graph(threads(), Graph(absl::StrCat(R"(
      input_stream: "a"
      node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
             input_stream: "a" )",
                                                  kind, "}")));
    std::atomic<int> taken{0};
    graph.Give("count", [&](CalculatorContext*) {
      ++taken;
      return absl::OkStatus();
    });
    graph.Start();
    for (int i = 0; i < 300; ++i) graph.Add("a", i, 1);
    graph.Finish();
    EXPECT_EQ(taken, 300) << kind;
  }
}

TEST_P(GraphLimitsTest, APollerWithALimitHoldsTheSourceBack) {
  if (threads() == 0) GTEST_SKIP() << "the source runs while somebody waits";
  TestGraph graph(threads(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" })");
  std::atomic<int> most{0};
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.Give("count", [&, count = CountTo(500)](CalculatorContext* cc) {
    most = std::max<int>(most, poller->QueueSize());
    return count(cc);
  });
  poller->SetMaxQueueBytes(8);
  graph.Start();
  Packet packet;
  int count = 0;
  while (poller->Next(&packet)) EXPECT_EQ(packet.Get<int>(), count++);
  EXPECT_EQ(count, 501);
  EXPECT_LE(most, 2);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

// --- One graph input

class InputLimitTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, InputLimitTest, ::testing::Values(0, 1, 8));

TEST_P(InputLimitTest, OneInputMayHaveALimitOfItsOwnInBytes) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b" input_stream: "busy"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:gate"
           input_stream: "busy" })");
  Gate gate;
  if (GetParam() == 0) gate.Open();
  graph.Give("sum", SendSum);
  graph.Give("gate", gate.Function());
  SYNCLINE_ASSERT_OK(graph.graph().SetInputStreamMaxQueueBytes("a", 12));
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("busy", 0, 0);
  for (int i = 0; i < 3; ++i) SYNCLINE_EXPECT_OK(Add(&graph, "a", i));
  EXPECT_EQ(Add(&graph, "a", 3).code(), absl::StatusCode::kUnavailable);
  gate.Open();
  graph.Finish();
  SYNCLINE_ASSERT_OK(graph.graph().SetInputStreamMaxQueueBytes("a", -1));
  graph.Start();
  for (int i = 0; i < 50; ++i) SYNCLINE_EXPECT_OK(Add(&graph, "a", i));
  graph.Finish();
}

TEST_P(InputLimitTest, OnePacketHoweverLargeGoesThrough) {
  TestGraph graph(GetParam(), R"(
    max_queue_bytes: 1 report_deadlock: true
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "b" })");
  graph.Give("sum", SendSum);
  graph.Observe("b");
  graph.Start();
  for (int i = 0; i < 20; ++i) graph.Add("a", i, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("b"), 20);
}

TEST(InputLimitErrorsTest, LimitsThatAreNone) {
  TestGraph graph(1, R"(input_stream: "a")");
  for (const int bytes : {0, -2}) {
    const absl::Status status =
        graph.graph().SetInputStreamMaxQueueBytes("a", bytes);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("\"a\""));
  }
  EXPECT_EQ(graph.graph().SetInputStreamMaxQueueBytes("no", 1).code(),
            absl::StatusCode::kNotFound);
  CalculatorGraph none;
  EXPECT_EQ(none.SetInputStreamMaxQueueBytes("a", 1).code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace syncline
