// Limits of queues, in packets and in bytes: what they do inside of a graph.
// What an application that feeds a full graph sees of them:
// graph_input_limits_test.

#include <algorithm>
#include <atomic>
#include <string>
#include <tuple>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphLimitsTest : public TwoPacketsTest {};
SYNCLINE_TEST_WITH_TWO_PACKETS(GraphLimitsTest);

TEST_P(GraphLimitsTest, AFullQueuePausesItsSource) {
  TestGraph graph(workers(), Graph(R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "b" })"));
  Backlog backlog;
  graph.Give("count", backlog.Sends(CountTo(200)));
  graph.Give("slow", backlog.Takes());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(backlog.taken(), 201);
  // Two in the queue, one taken out of it, one on its way.
  EXPECT_LE(backlog.most(), 5);
}

TEST_P(GraphLimitsTest, QueuesGrowWhereADetourNeedsIt) {
  TestGraph graph(workers(), Graph(R"(
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
  TestGraph graph(workers(), Graph(R"(
    max_queue_size_ceiling: 20 max_queue_bytes_ceiling: 80
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })"));
  graph.Give("count", CountTo(1000));
  graph.Give("sum", SendSum);
  graph.Start();
  const absl::Status status = graph.graph().WaitUntilDone();
  const bool has_bytes =
      absl::StrContains(std::get<1>(GetParam()).settings, "max_queue_bytes");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("deadlock"),
                    HasSubstr(has_bytes ? "of 20 packets, or of 80 bytes."
                                        : "of 20 packets."),
                    HasSubstr("\"join\""), HasSubstr("waits for stream \"b\""),
                    HasSubstr("20 packets"), HasSubstr("max_queue_bytes")));
}

TEST_P(GraphLimitsTest, EveryKindOfNodeGetsAllPackets) {
  for (const char* const kind :
       {"", "max_in_flight: 3",
        "input_stream_handler { "
        "  input_stream_handler: 'ImmediateInputStreamHandler' }",
        "input_stream_handler { "
        "  input_stream_handler: 'BarrierInputStreamHandler' }"}) {
    TestGraph graph(workers(), Graph(absl::StrCat(R"(
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
  TestGraph graph(workers(), R"(
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

}  // namespace
}  // namespace syncline
