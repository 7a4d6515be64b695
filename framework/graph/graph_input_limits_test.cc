// What an application that feeds a full graph sees: calls that wait or are
// refused, what ends the wait, and limits of one graph input. Where a call has
// to block meanwhile there are no seeds: who waits would be the worker.

#include <atomic>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphInputLimitsTest : public TwoPacketsTest {};
SYNCLINE_TEST_WITH_TWO_PACKETS(GraphInputLimitsTest);

constexpr char kGated[] = R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
           input_stream: "a" })";

TEST_P(GraphInputLimitsTest,
       AddIfNotFullRefusesWhileOneOfSeveralReadersIsFull) {
  TestGraph graph(workers(), Graph(R"(
    input_stream: "a" input_stream: "b" input_stream: "busy"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "fast" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
           input_stream: "busy" })"));
  LongCall long_call;
  if (workers().is_application_thread()) long_call.End();
  graph.Give("sum", SendSum);
  // Keeps the graph busy, so that it does not find itself in a deadlock.
  graph.Give("long", long_call.Function());
  graph.Observe("fast");
  graph.Observe("c");
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("busy", 0, 0);
  graph.Add("a", 0, 1);
  graph.Add("a", 1, 1);
  const absl::Status status = graph.AddWithStatus("a", 2, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("throttled"), HasSubstr("\"a\"")));
  SYNCLINE_EXPECT_OK(graph.AddWithStatus("b", 0, 1)) << "that one has room";
  long_call.End();
  graph.Close("b");
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.AddWithStatus("a", 2, 1)) << "now there is room";
  graph.Finish();
  EXPECT_EQ(graph.Count("fast"), 3);
  EXPECT_EQ(graph.Count("c"), 3);
}

TEST_P(GraphInputLimitsTest, AddWaitsForRoomInEveryReader) {
  TestGraph graph(workers(), Graph(R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "c" output_stream: "d" })"));
  Backlog backlog;
  graph.Give("sum", SendSum);
  graph.Give("slow", backlog.Takes());
  graph.Observe("d");
  graph.Start();
  for (int i = 0; i < 200; ++i) {
    graph.Add("a", i, 1);
    backlog.Send();
  }
  graph.Finish();
  EXPECT_EQ(graph.Count("d"), 200);
  // Two in the queue and one in the call.
  EXPECT_LE(backlog.most(), 3);
}

TEST_P(GraphInputLimitsTest, CancelWakesWhoWaits) {
  if (workers().is_application_thread())
    GTEST_SKIP() << "who waits is the worker";
  TestGraph graph(workers(), Graph(kGated));
  LongCall long_call;
  graph.Give("long", long_call.Function());
  graph.Start();
  absl::Status status;
  std::thread adder([&] {
    for (int i = 0; status.ok(); ++i) status = graph.AddWithStatus("a", i, 1);
  });
  long_call.WaitUntilStarted();
  graph.graph().Cancel();
  adder.join();  // while the call goes on
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  long_call.End();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(GraphInputLimitsTest, CloseWakesWhoWaitsAndRefusesItsPacket) {
  if (workers().is_application_thread())
    GTEST_SKIP() << "who waits is the worker";
  TestGraph graph(workers(), Graph(R"(
    input_stream: "a" input_stream: "other"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
           input_stream: "a" output_stream: "b" })"));
  LongCall long_call;
  graph.Give("long", long_call.Function());
  graph.Observe("b");
  graph.Start();
  std::atomic<int> added{0};
  absl::Status status;
  std::thread adder([&] {
    for (int i = 0; status.ok(); ++i) {
      status = graph.AddWithStatus("a", i, 1);
      if (status.ok()) ++added;
    }
  });
  long_call.WaitUntilStarted();
  graph.Close("a");
  adder.join();  // while the call goes on, and the queue is full
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("closed"));
  long_call.End();
  graph.Finish();
  EXPECT_EQ(graph.Count("b"), added);
}

TEST_P(GraphInputLimitsTest, AFullAndClosedInputIsClosed) {
  if (workers().is_application_thread())
    GTEST_SKIP() << "nothing runs while nobody waits";
  TestGraph graph(workers(), Graph(kGated));
  LongCall long_call;
  graph.Give("long", long_call.Function());
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("a", 0, 0);
  long_call.WaitUntilStarted();
  graph.Add("a", 1, 0);
  graph.Add("a", 2, 0);
  EXPECT_EQ(graph.AddWithStatus("a", 3, 1).code(),
            absl::StatusCode::kUnavailable);
  graph.Close("a");
  EXPECT_EQ(graph.AddWithStatus("a", 3, 1).code(),
            absl::StatusCode::kFailedPrecondition);
  long_call.End();
  graph.Finish();
}

// --- One graph input

class InputLimitTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(InputLimitTest);

TEST_P(InputLimitTest, OneInputMayHaveALimitOfItsOwnInBytes) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b" input_stream: "busy"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
           input_stream: "busy" })");
  LongCall long_call;
  if (GetParam().is_application_thread()) long_call.End();
  graph.Give("sum", SendSum);
  graph.Give("long", long_call.Function());
  SYNCLINE_ASSERT_OK(graph.graph().SetInputStreamMaxQueueBytes("a", 12));
  graph.graph().SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("busy", 0, 0);
  for (int i = 0; i < 3; ++i) graph.Add("a", i, 1);
  EXPECT_EQ(graph.AddWithStatus("a", 3, 1).code(),
            absl::StatusCode::kUnavailable);
  long_call.End();
  graph.Finish();
  SYNCLINE_ASSERT_OK(graph.graph().SetInputStreamMaxQueueBytes("a", -1));
  graph.Start();
  for (int i = 0; i < 50; ++i) graph.Add("a", i, 1);
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
  TestGraph graph({}, R"(input_stream: "a")");
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
