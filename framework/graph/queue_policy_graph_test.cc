// queue_policy: a full queue drops its oldest packet (POP) or the new one
// (REJECT), or ends the run (FAULT); only BLOCK makes sources wait, and may
// have a limit of its own. What is dropped is counted, and nobody waits for it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

// The field of a node that makes the queue of "a", its first input, such.
std::string Queue(int size, const std::string& policy) {
  return absl::StrCat("input_stream_info { tag_index: \":0\" max_queue_size: ",
                      size, " queue_policy: ", policy, " } ");
}

// A node "n" that adds up "a" and "b"; `fields` of the node, and of the graph.
// Packets of "a" wait as long as "b" has not come as far.
std::string Join(const std::string& fields,
                 const std::string& graph_fields = "") {
  return absl::Substitute(
      R"(input_stream: "a" input_stream: "b"
         node { calculator: "TestLambdaOffset" name: "n"
                input_side_packet: "PROCESS:f"
                input_stream: "a" input_stream: "b" output_stream: "out"
                $0 } $1)",
      fields, graph_fields);
}

InputStreamRuntimeInfo InfoOfA(TestGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  if (!info.ok()) return {};
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    if (node.calculator_name() == "n") return node.input_stream_infos(0);
  }
  return {};
}

// Packets of "a" that were dropped since its queue was full; those with other
// causes must not be.
std::int64_t Dropped(TestGraph* graph) {
  std::int64_t count = 0;
  const InputStreamRuntimeInfo info = InfoOfA(graph);
  for (const DroppedPacketsInfo& dropped : info.dropped_packets()) {
    EXPECT_EQ(dropped.cause(), DroppedPacketsInfo::QUEUE_FULL);
    count += dropped.number_of_packets();
  }
  return count;
}

class QueuePolicyGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(QueuePolicyGraphTest);

TEST_P(QueuePolicyGraphTest, PopKeepsTheNewestPackets) {
  TestGraph graph(GetParam(), Join(Queue(2, "POP"), "max_queue_size: 1"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 5; ++i) graph.Add("a", i, i);
  graph.Idle();
  EXPECT_EQ(InfoOfA(&graph).queue_size(), 2);
  EXPECT_EQ(InfoOfA(&graph).max_queue_size(), 2);
  EXPECT_EQ(InfoOfA(&graph).number_of_packets_added(), 5);
  EXPECT_EQ(InfoOfA(&graph).minimum_timestamp_or_bound(), 4);
  graph.SetBound("b", 100);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "4:4 5:5");
  EXPECT_EQ(Dropped(&graph), 3);
}

TEST_P(QueuePolicyGraphTest, RejectKeepsTheOldestPackets) {
  TestGraph graph(GetParam(), Join(Queue(2, "REJECT"), "max_queue_size: 1"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 5; ++i) graph.Add("a", i, i);
  graph.SetBound("b", 100);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
  graph.Add("a", 7, 7);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 7:7") << "there is room again";
  EXPECT_EQ(Dropped(&graph), 3);
}

TEST_P(QueuePolicyGraphTest, FaultEndsTheRun) {
  TestGraph graph(GetParam(), Join(Queue(2, "FAULT")));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 11; i <= 12; ++i) graph.Add("a", i, i);
  graph.Idle();
  // That it is one too many is found out when it arrives.
  graph.AddWithStatus("a", 13, 13).IgnoreError();
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"a\""), HasSubstr("\"n\" (TestLambdaOffset)"),
                    HasSubstr("max_queue_size: 2"), HasSubstr("11"),
                    HasSubstr("the packet at 13")));
}

TEST_P(QueuePolicyGraphTest, WhatIsDroppedIsNotWaitedFor) {
  TestGraph graph(GetParam(), Join(Queue(1, "REJECT")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Add("a", 5, 5);
  graph.Add("b", 1, 10);
  graph.Add("b", 5, 50);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:11 5:50") << "5 of a is gone for good";
  graph.Finish();
}

TEST_P(QueuePolicyGraphTest, DroppingTheOldestMayMakeTheOtherStreamReady) {
  TestGraph graph(GetParam(), Join(Queue(1, "POP")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Add("b", 3, 30);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:1");
  graph.Add("a", 4, 4);
  graph.Add("a", 6, 6);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:1 3:30");
  graph.Add("b", 6, 60);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:1 3:30 6:66");
  EXPECT_EQ(Dropped(&graph), 1);
}

TEST_P(QueuePolicyGraphTest, TheEndOfTheStreamComesThroughAFullQueue) {
  for (const char* const policy : {"POP", "REJECT"}) {
    SCOPED_TRACE(policy);
    TestGraph graph(GetParam(), Join(Queue(1, policy)));
    graph.Give("f", SendSum);
    graph.Observe("out");
    graph.Start();
    graph.Add("a", 1, 1);
    graph.Add("a", 2, 2);
    graph.Close("a");
    graph.Idle();
    graph.Add("b", 9, 90);
    graph.Finish();
    EXPECT_EQ(graph.Seen("out"),
              policy == std::string("POP") ? "2:2 9:90" : "1:1 9:90");
  }
}

TEST_P(QueuePolicyGraphTest, OtherHandlersGoOnWithTheNewFront) {
  for (const char* const handler :
       {"SyncSetInputStreamHandler", "EarlyCloseInputStreamHandler"}) {
    SCOPED_TRACE(handler);
    TestGraph graph(
        GetParam(),
        Join(absl::StrCat(Queue(1, "POP"), "input_stream_handler { ",
                          "input_stream_handler: \"", handler, "\" }")));
    graph.Give("f", SendSum);
    graph.Observe("out");
    graph.Start();
    for (int i = 1; i <= 3; ++i) graph.Add("a", i, i);
    graph.Add("b", 3, 30);
    graph.Idle();
    EXPECT_EQ(graph.Seen("out"), "3:33");
    graph.Finish();
    EXPECT_EQ(Dropped(&graph), 2);
  }
}

TEST_P(QueuePolicyGraphTest, ABarrierTakesTheNewestOfEach) {
  TestGraph graph(
      GetParam(),
      Join(absl::StrCat(Queue(1, "POP"), "input_stream_handler { ",
                        "input_stream_handler: \"BarrierInputStreamHandler\" "
                        "}")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 3; ++i) graph.Add("a", i, i);
  graph.Add("b", 100, 10);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "3:13") << "the input timestamp is that of 3";
  graph.Finish();
}

TEST_P(QueuePolicyGraphTest, PopIsRefusedWhereAHandlerDropsPacketsItself) {
  for (const char* const handler :
       {"FixedSizeInputStreamHandler", "ApproximateTimeInputStreamHandler"}) {
    WorkersGraph graph(GetParam());
    const absl::Status status = graph.Initialize(TestConfig(
        Join(absl::StrCat(Queue(2, "POP"), "input_stream_handler { ",
                          "input_stream_handler: \"", handler, "\" }"))));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("node \"n\""), HasSubstr("\"a\""),
                      HasSubstr(handler), HasSubstr("REJECT and FAULT")));
  }
  TestGraph rejects(
      GetParam(),
      Join(absl::StrCat(Queue(2, "REJECT"), "input_stream_handler { ",
                        "input_stream_handler: "
                        "\"FixedSizeInputStreamHandler\" options { "
                        "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
                        "trigger_queue_size: 8 target_queue_size: 7 } } }")));
  rejects.Give("f", SendSum);
  rejects.Observe("out");
  rejects.Start();
  for (int i = 1; i <= 5; ++i) rejects.Add("a", i, i);
  rejects.SetBound("b", 100);
  rejects.Finish();
  EXPECT_EQ(rejects.Seen("out"), "1:1 2:2");
}

TEST_P(QueuePolicyGraphTest, APacketThatNeedNotWaitTakesNoRoom) {
  // The source sends three packets in one call.
  TestGraph graph(GetParam(), absl::Substitute(
                                  R"(node { calculator: "TestLambda" name: "n"
                  input_side_packet: "PROCESS:f" input_stream: "a"
                  output_stream: "out" $0 }
           node { calculator: "TestLambda" input_side_packet: "PROCESS:three"
                  output_stream: "a" })",
                                  Queue(1, "REJECT")));
  graph.Give("f", SendSum);
  graph.Give("three", [](CalculatorContext* cc) {
    for (int i = 1; i <= 3; ++i) {
      cc->Outputs().Index(0).AddPacket(MakePacket<int>(i).At(Timestamp(i)));
    }
    cc->Outputs().Index(0).Close();
    return tool::StatusStop();
  });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
}

TEST_P(QueuePolicyGraphTest, BlockMayHaveALimitOfItsOwn) {
  TestGraph graph(GetParam(),
                  Join(Queue(2, "BLOCK"), "max_queue_size_ceiling: 2"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.graph().SetGraphInputStreamAddMode(
      CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Add("a", 2, 2);
  EXPECT_EQ(InfoOfA(&graph).max_queue_size(), 2);
  EXPECT_EQ(graph.AddWithStatus("a", 3, 3).code(),
            absl::StatusCode::kUnavailable);
  graph.SetBound("b", 4);
  graph.Idle();
  graph.Add("a", 3, 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3");
  EXPECT_EQ(Dropped(&graph), 0);
}

TEST_P(QueuePolicyGraphTest, ALimitOfItsOwnGrowsToResolveADeadlock) {
  // "b" has a packet for every fourth of "a", which waits for it.
  TestGraph graph(GetParam(), absl::Substitute(
                                  R"(node { calculator: "TestLambda" name: "n"
                  input_side_packet: "PROCESS:f"
                  input_stream: "a" input_stream: "b" output_stream: "out" $0 }
           node { calculator: "TestLambda" input_side_packet: "PROCESS:source"
                  output_stream: "a" output_stream: "b" })",
                                  Queue(1, "BLOCK")));
  graph.Give("f", SendSum);
  graph.Give("source",
             [time = std::make_shared<int>(0)](CalculatorContext* cc) {
               if (*time == 12) return tool::StatusStop();
               const Timestamp now(++*time);
               cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(now));
               if (*time % 4 == 0) {
                 cc->Outputs().Index(1).AddPacket(MakePacket<int>(10).At(now));
               }
               return absl::OkStatus();
             });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("out"), 12);
}

TEST_P(QueuePolicyGraphTest, WhatIsNotDroppedIsProcessedInOrder) {
  constexpr int kLast = 999;
  for (const char* const policy : {"POP", "REJECT"}) {
    SCOPED_TRACE(policy);
    TestGraph graph(GetParam(),
                    absl::Substitute(
                        R"(node { calculator: "TestLambda" name: "n"
                  input_side_packet: "PROCESS:f" input_stream: "a"
                  output_stream: "out" max_in_flight: $1 $0 }
           node { calculator: "TestLambda" input_side_packet: "PROCESS:source"
                  output_stream: "a" })",
                        Queue(3, policy), policy[0] == 'P' ? 1 : 3));
    graph.Give("f", [](CalculatorContext* cc) {
      if (cc->InputTimestamp().Value() % 16 == 0) {
        absl::SleepFor(absl::Microseconds(20));
      }
      return SendSum(cc);
    });
    graph.Give("source", CountTo(kLast));
    int count = 0;
    int last = -1;
    SYNCLINE_EXPECT_OK(graph.graph().ObserveOutputStream(
        "out", [&count, &last](const Packet& packet) {
          EXPECT_LT(last, packet.Get<int>());
          last = packet.Get<int>();
          ++count;
          return absl::OkStatus();
        }));
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(count + Dropped(&graph), kLast + 1);
    if (policy == std::string("POP")) {
      EXPECT_EQ(last, kLast);
    }
  }
}

TEST_P(QueuePolicyGraphTest, ConditionsSeeTheArrivalOfWhatIsStillThere) {
  for (const char* const fields :
       {"input_stream_info { tag_index: \"\" max_queue_size: 1 "
        "queue_policy: POP } ",
        // This one drops from the front, too.
        "input_stream_handler { input_stream_handler: "
        "\"FixedSizeInputStreamHandler\" } "}) {
    SCOPED_TRACE(fields);
    TestGraph graph(GetParam(),
                    absl::Substitute(
                        R"(clock { type: "SyntheticClock" } input_stream: "in"
               node { calculator: "TestLambda" name: "n"
                 input_side_packet: "PROCESS:f" input_stream: "in" $0
                 condition { type: "ExpiringMessageAvailableCondition" options {
                   [syncline.ExpiringMessageAvailableConditionOptions.ext] {
                     max_batch_size: 3 max_delay_ns: 10000000 } } } })",
                        fields));
    std::vector<std::string> calls;
    graph.Give("f", [&calls](CalculatorContext* cc) {
      calls.push_back(absl::StrCat(cc->InputTimestamp().Value(), "@",
                                   cc->Clock()->NowNs() / kMs));
      return absl::OkStatus();
    });
    graph.Start();
    const auto at = [&graph](std::int64_t ms) {
      SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(ms * kMs));
      graph.Idle();
    };
    graph.Add("in", 1, 0);
    at(6);
    graph.Add("in", 2, 0);
    at(12);
    EXPECT_THAT(calls, ElementsAre()) << "that of 0 ms is gone";
    at(16);
    EXPECT_THAT(calls, ElementsAre("2@16"));
    graph.Finish();
  }
}

TEST_P(QueuePolicyGraphTest, AConditionMayWaitForRoomInSuchAQueue) {
  TestGraph graph(GetParam(), absl::Substitute(
                                  R"(input_stream: "b"
           node { calculator: "TestLambdaOffset" name: "n"
                  input_side_packet: "PROCESS:f"
                  input_stream: "a" input_stream: "b" output_stream: "out" $0 }
           node { calculator: "TestLambda" input_side_packet: "PROCESS:source"
                  output_stream: "a"
                  condition {
                    type: "DownstreamMessageAffordableCondition" } })",
                                  Queue(2, "POP")));
  graph.Give("f", SendSum);
  graph.Give("source", CountTo(9));
  graph.Observe("out");
  graph.Start();
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  graph.SetBound("b", 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:0");
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 10);
  EXPECT_EQ(Dropped(&graph), 0);
}

TEST_P(QueuePolicyGraphTest, AGraphThatHasToBeDeterministicCannotHaveIt) {
  for (const char* const policy : {"POP", "REJECT", "FAULT"}) {
    WorkersGraph graph(GetParam());
    const absl::Status status = graph.Initialize(
        TestConfig(Join(Queue(2, policy), "deterministic: true")));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("node \"n\""), HasSubstr(policy), HasSubstr("BLOCK")));
  }
}

TEST_P(QueuePolicyGraphTest, ExplainAndTheTextTellWhatWasDropped) {
  TestGraph graph(GetParam(), Join(Queue(1, "REJECT")));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 1; i <= 3; ++i) graph.Add("a", i, i);
  graph.Idle();
  EXPECT_THAT(graph.graph().Explain(),
              HasSubstr("2 packets of \"a\" (2 were too many for the queue)"));
  graph.Finish();
}

}  // namespace
}  // namespace syncline
