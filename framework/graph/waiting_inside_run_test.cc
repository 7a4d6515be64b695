// A call of the run that waits for the run would wait for itself.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kSum[] = R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "b" })";

class WaitingInsideRunTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WaitingInsideRunTest);

TEST_P(WaitingInsideRunTest, AnObserverCannotWaitForItsRun) {
  using Wait = absl::Status (CalculatorGraph::*)();
  for (const Wait wait :
       {&CalculatorGraph::WaitUntilIdle, &CalculatorGraph::WaitUntilDone,
        &CalculatorGraph::WaitForObservedOutput}) {
    TestGraph graph(GetParam(), kSum);
    graph.Give("sum", SendSum);
    SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
        "b", [&](const Packet&) { return (graph.graph().*wait)(); }));
    graph.Start();
    graph.Add("a", 1, 1);
    const absl::Status status = graph.FinishWithStatus();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("would wait for itself"));
  }
}

TEST_P(WaitingInsideRunTest, ACalculatorMayWaitForAnotherGraph) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", [&](CalculatorContext* cc) {
    TestGraph inner(GetParam(), kSum);
    inner.Give("sum", SendSum);
    inner.Start();
    inner.Add("a", 1, cc->Inputs().Index(0).Get<int>());
    SYNCLINE_EXPECT_OK(inner.graph().WaitUntilIdle());
    SYNCLINE_EXPECT_OK(inner.FinishWithStatus());
    return SendSum(cc);
  });
  graph.Observe("b");
  graph.Start();
  graph.Add("a", 1, 7);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  graph.Finish();
  EXPECT_EQ(graph.Seen("b"), "1:7");
}

// The call that adds the packet may have to end before there is room.
TEST_P(WaitingInsideRunTest, AnObserverAddsPacketsBeyondTheLimitOfAQueue) {
  TestGraph graph(GetParam(), std::string("max_queue_size: 2") + kSum);
  graph.Give("sum", SendSum);
  int next = 1;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "b", [&](const Packet&) -> absl::Status {
        for (int i = 0; i < 4 && next < 10; ++i, ++next) {
          SYNCLINE_RETURN_IF_ERROR(graph.AddWithStatus("a", next, 1));
        }
        return absl::OkStatus();
      }));
  graph.Observe("b");
  graph.Start();
  graph.Add("a", 0, 1);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  graph.Finish();
  EXPECT_EQ(graph.Count("b"), 10);
}

TEST_P(WaitingInsideRunTest,
       AnObserverThatDoesNotWantToWaitIsToldOfAFullQueue) {
  TestGraph graph(GetParam(), std::string("max_queue_size: 2") + kSum);
  graph.Give("sum", SendSum);
  graph.graph().SetGraphInputStreamAddMode(
      CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
  absl::Status refused;
  int next = 1;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("b", [&](const Packet&) {
    for (int i = 0; i < 4 && next < 10 && refused.ok(); ++i, ++next) {
      refused = graph.AddWithStatus("a", next, 1);
    }
    return absl::OkStatus();
  }));
  graph.Start();
  graph.Add("a", 0, 1);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  graph.Finish();
  EXPECT_THAT(refused, StatusIs(absl::StatusCode::kUnavailable,
                                AllOf(HasSubstr("Graph is throttled"),
                                      HasSubstr("\"a\""))));
}

TEST_P(WaitingInsideRunTest, AnObserverDoesNotWaitForAPollerOfItsRun) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", SendSum);
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("b");
  SYNCLINE_ASSERT_OK(poller);
  std::vector<bool> found;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("b", [&](const Packet&) {
    Packet packet;
    for (int i = 0; i < 2; ++i) found.push_back(poller->Next(&packet));
    return absl::OkStatus();
  }));
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Finish();
  // The poller, which was there first, has the packet, and then no more.
  EXPECT_THAT(found, ElementsAre(true, false));
}

TEST_P(WaitingInsideRunTest, CloseAtTheEndOfARunCannotWaitForIt) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "CLOSE:close"
           input_stream: "a" input_stream: "back" output_stream: "b"
           input_stream_info { tag_index: ":1" back_edge: true } }
    node { calculator: "TestLambda" input_stream: "b" output_stream: "back" })");
  std::vector<absl::StatusCode> codes;
  graph.Give("close", [&](CalculatorContext*) {
    for (const absl::Status& status :
         {graph.graph().WaitUntilDone(), graph.graph().WaitUntilIdle(),
          graph.graph().WaitForObservedOutput()}) {
      codes.push_back(status.code());
    }
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("a", 1, 1);
  // Nobody has begun the loop.
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(codes, ElementsAre(absl::StatusCode::kFailedPrecondition,
                                 absl::StatusCode::kFailedPrecondition,
                                 absl::StatusCode::kFailedPrecondition));
}

TEST_P(WaitingInsideRunTest, NoOtherRunStartsFromInsideOfOne) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", SendSum);
  std::vector<absl::StatusCode> codes;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("b", [&](const Packet&) {
    codes = {graph.graph().StartRun({}).code(), graph.graph().Run().code(),
             graph.graph().RunEpoch(absl::Seconds(1)).status().code()};
    return absl::OkStatus();
  }));
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Finish();
  EXPECT_THAT(codes, Each(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(codes, SizeIs(3));
}

TEST_P(WaitingInsideRunTest, AnErrorEndsARunThatIsPaused) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", SendSum);
  graph.Observe("b");
  graph.Start();
  graph.Idle();
  graph.graph().Pause();
  graph.Add("a", 1, 1);
  graph.graph().RecordError(absl::DataLossError("the application saw a fault"));
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(graph.Seen("b"), "");
}

TEST_P(WaitingInsideRunTest, ARunWithAnErrorIsNotHeldByAPause) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", SendSum);
  graph.Start();
  graph.Add("a", 1, 1);
  graph.graph().RecordError(absl::DataLossError("the application saw a fault"));
  graph.graph().Pause();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kDataLoss);
}

class AddingInsideRunTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_THREADS(AddingInsideRunTest);

// Its thread may be late by chance: that is no error of who adds the packets.
TEST_P(AddingInsideRunTest, AnObserverGoesOnWhileAnotherThreadIsInTheCall) {
  TestGraph graph(GetParam(), std::string(R"(
      max_queue_size: 2
      executor { name: "own" type: "ThreadPoolExecutor"
                 options { [syncline.ThreadPoolExecutorOptions.ext] {
                   num_threads: 1 } } }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
             input_stream: "b" executor: "own" })") +
                                  kSum);
  LongCall long_call;
  graph.Give("long", long_call.Function());
  graph.Give("sum", SendSum);
  constexpr int kPackets = 50;
  int next = 1;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("b", [&](const Packet&) {
    const bool is_last = next == kPackets;
    const absl::Status status =
        is_last ? absl::OkStatus() : graph.AddWithStatus("a", next++, 1);
    if (is_last || !status.ok()) long_call.End();
    return status;
  }));
  graph.Observe("b");
  graph.Start();
  graph.Add("a", 0, 1);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  graph.Finish();
  EXPECT_EQ(graph.Count("b"), kPackets);
}

// Whoever destroys a graph does not resume it.
TEST_P(WaitingInsideRunTest, AGraphThatIsPausedCanBeDestroyed) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", SendSum);
  graph.Start();
  graph.graph().Pause();
  graph.Add("a", 1, 1);
}

}  // namespace
}  // namespace syncline
