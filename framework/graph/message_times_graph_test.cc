// message_times: inputs that ask for them know when each packet was acquired,
// published and received, by the graph's clock; whoever does not ask, does not.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_times.h"
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

std::string Ms(std::int64_t time_ns) {
  return time_ns == PacketTimes::kNone ? "none" : absl::StrCat(time_ns / kMs);
}

// "acquired/published/arrived", in milliseconds.
std::string Text(const PacketTimes& times) {
  return absl::StrCat(Ms(times.acquisition_ns), "/", Ms(times.publication_ns),
                      "/", Ms(times.arrival_ns));
}

// "timestamp@times" of each call, of the first input.
TestFunction WriteDown(std::vector<std::string>* calls) {
  return [calls](CalculatorContext* cc) {
    calls->push_back(absl::StrCat(cc->InputTimestamp().Value(), "@",
                                  Text(cc->Inputs().begin()->MessageTimes())));
    return absl::OkStatus();
  };
}

// A node "n" that reads "a", and asks for times; `fields` of it, and of the
// graph.
std::string Timed(const std::string& fields = "",
                  const std::string& graph_fields = "",
                  const std::string& info = "") {
  return absl::Substitute(
      R"(clock { type: "SyntheticClock" } input_stream: "a"
         node { calculator: "TestLambdaOffset" name: "n"
                input_side_packet: "PROCESS:f" input_stream: "a" $0
                input_stream_info { tag_index: ":0" message_times: true $2 } }
         $1)",
      fields, graph_fields, info);
}

// Sends the milliseconds at which its input was acquired.
class TestAcquisition : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IN").Set<int>();
    cc->KeepMessageTimes("IN");
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const PacketTimes& times = cc->Inputs().Tag("IN").MessageTimes();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(static_cast<int>(times.acquisition_ns / kMs))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TestAcquisition);

class MessageTimesGraphTest : public ::testing::TestWithParam<Workers> {
 protected:
  static void At(std::int64_t ms, TestGraph* graph) {
    SYNCLINE_EXPECT_OK(graph->graph().GetClock()->AdvanceTo(ms * kMs));
  }
  static void Add(const char* stream, int timestamp, const PacketTimes& times,
                  TestGraph* graph) {
    SYNCLINE_EXPECT_OK(graph->graph().AddPacketToInputStream(
        stream, MakePacket<int>(0).At(Timestamp(timestamp)), times));
    graph->Idle();
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(MessageTimesGraphTest);

TEST_P(MessageTimesGraphTest, TheApplicationMaySayWhenItAcquiredAPacket) {
  TestGraph graph(GetParam(), Timed());
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  graph.Start();
  At(5, &graph);
  Add("a", 1, {.acquisition_ns = 2 * kMs}, &graph);
  At(7, &graph);
  Add("a", 2, {}, &graph);
  graph.Finish();
  EXPECT_THAT(calls, ElementsAre("1@2/5/5", "2@7/7/7"));
}

TEST_P(MessageTimesGraphTest, ACalculatorMayPassTheAcquisitionOn) {
  TestGraph graph(GetParam(), R"(
    clock { type: "SyntheticClock" } input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:pass"
           input_stream: "a" output_stream: "b" output_stream: "c"
           input_stream_info { tag_index: "" message_times: true } }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "b"
           input_stream_info { tag_index: "" message_times: true } }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:g"
           input_stream: "c"
           input_stream_info { tag_index: "" message_times: true } })");
  graph.Give("pass", [](CalculatorContext* cc) {
    const Packet& packet = cc->Inputs().Index(0).Value();
    const std::int64_t acquisition_ns =
        cc->Inputs().Index(0).MessageTimes().acquisition_ns;
    cc->Outputs().Index(0).AddPacket(packet,
                                     {.acquisition_ns = acquisition_ns});
    cc->Outputs().Index(1).AddPacket(packet);
    return absl::OkStatus();
  });
  std::vector<std::string> with;
  std::vector<std::string> without;
  graph.Give("f", WriteDown(&with));
  graph.Give("g", WriteDown(&without));
  graph.Start();
  At(5, &graph);
  Add("a", 1, {.acquisition_ns = 2 * kMs}, &graph);
  Add("a", 2, {.acquisition_ns = 3 * kMs}, &graph);
  graph.Finish();
  EXPECT_THAT(with, ElementsAre("1@2/5/5", "2@3/5/5"));
  EXPECT_THAT(without, ElementsAre("1@5/5/5", "2@5/5/5"));
}

TEST_P(MessageTimesGraphTest, EachPacketOfACallHasItsOwn) {
  TestGraph graph(GetParam(), R"(
    clock { type: "SyntheticClock" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:source"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "a"
           input_stream_info { tag_index: "" message_times: true } })");
  graph.Give("source", [](CalculatorContext* cc) {
    OutputStream& output = cc->Outputs().Index(0);
    output.AddPacket(MakePacket<int>(0).At(Timestamp(1)));
    output.AddPacket(MakePacket<int>(0).At(Timestamp(2)),
                     {.acquisition_ns = 20 * kMs});
    output.AddPacket(MakePacket<int>(0).At(Timestamp(3)),
                     {.acquisition_ns = 30 * kMs});
    output.AddPacket(MakePacket<int>(0).At(Timestamp(4)));
    output.Close();
    return tool::StatusStop();
  });
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(calls, ElementsAre("1@0/0/0", "2@20/0/0", "3@30/0/0", "4@0/0/0"));
}

TEST_P(MessageTimesGraphTest, PacketsThatWaitKeepTheirTimes) {
  TestGraph graph(GetParam(),
                  Timed(R"(input_stream: "b")", R"(input_stream: "b")",
                        "max_queue_size: 2 queue_policy: POP"));
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  graph.Start();
  for (int i = 1; i <= 4; ++i) {
    At(i, &graph);
    Add("a", 10 * i, {.acquisition_ns = 0}, &graph);
  }
  At(9, &graph);
  graph.Add("b", 35, 0);
  graph.Close("b");
  graph.Finish();
  EXPECT_THAT(calls, ElementsAre("30@0/3/3", "35@none/none/none", "40@0/4/4"));
}

TEST_P(MessageTimesGraphTest, WhatIsMergedKeepsItsTimes) {
  TestGraph graph(GetParam(), R"(
    clock { type: "SyntheticClock" } input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "IN:0:a" input_stream: "IN:1:b"
           input_stream_info { tag_index: "IN" merge: true
                               message_times: true } })");
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  graph.Start();
  At(5, &graph);
  Add("a", 1, {.acquisition_ns = 2 * kMs, .publication_ns = 3 * kMs}, &graph);
  Add("b", 1, {.acquisition_ns = 4 * kMs}, &graph);
  graph.Finish();
  EXPECT_THAT(calls, ElementsAre("1@2/3/5", "2@4/5/5"));
}

TEST_P(MessageTimesGraphTest, WhatIsPutInOrderKeepsItsTimes) {
  TestGraph graph(GetParam(), Timed("", R"(
    graph_input_info { stream: "a" bad_timestamps: REORDER
                       reorder_window: 100 })"));
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  graph.Start();
  At(1, &graph);
  Add("a", 20, {}, &graph);
  At(2, &graph);
  Add("a", 10, {.acquisition_ns = 0}, &graph);
  At(3, &graph);
  graph.Finish();
  EXPECT_THAT(calls, ElementsAre("10@0/2/3", "20@1/1/3"));
}

TEST_P(MessageTimesGraphTest, EachInputSetOfABatchHasItsOwn) {
  TestGraph graph(GetParam(), Timed("batch { max_size: 2 }"));
  std::vector<std::string> calls;
  graph.Give("f", [&calls](CalculatorContext* cc) {
    for (const auto& set : cc->Batch()) {
      calls.push_back(Text(set.Inputs().begin()->MessageTimes()));
    }
    return absl::OkStatus();
  });
  graph.Start();
  At(5, &graph);
  Add("a", 1, {}, &graph);
  At(6, &graph);
  Add("a", 2, {}, &graph);
  graph.Finish();
  EXPECT_THAT(calls, ElementsAre("5/5/5", "6/6/6"));
}

TEST_P(MessageTimesGraphTest, AConditionCountsTheAgeFromTheAcquisition) {
  const auto condition = [](const std::string& options) {
    return absl::Substitute(
        R"(condition { type: "ExpiringMessageAvailableCondition" options {
             [syncline.ExpiringMessageAvailableConditionOptions.ext] {
               max_batch_size: 3 max_delay_ns: 10000000 $0 } } })",
        options);
  };
  for (const bool from_arrival : {false, true}) {
    SCOPED_TRACE(from_arrival);
    TestGraph graph(GetParam(),
                    Timed(condition(from_arrival ? "age_from: ARRIVAL" : "")));
    std::vector<std::string> calls;
    graph.Give("f", [&calls](CalculatorContext* cc) {
      calls.push_back(Ms(cc->Clock()->NowNs()));
      return absl::OkStatus();
    });
    graph.Start();
    At(5, &graph);
    Add("a", 1, {.acquisition_ns = 2 * kMs}, &graph);
    for (const int ms : {11, 12, 14, 15}) {
      At(ms, &graph);
      graph.Idle();
    }
    EXPECT_THAT(calls, ElementsAre(from_arrival ? "15" : "12"));
    graph.Finish();
  }
}

TEST_P(MessageTimesGraphTest, ASimulatedRunHasTheSameTimesInEveryRun) {
  TestGraph graph(GetParam(), R"(
    clock { type: "ManualClock" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:source"
           output_stream: "a"
           condition { type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "10ms" } } } }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:pass"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "b"
           input_stream_info { tag_index: "" message_times: true } })");
  graph.Give("source", CountTo(3));
  graph.Give("pass", SendSum);
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(calls,
              ElementsAre("0@0/0/0", "1@10/10/10", "2@20/20/20", "3@30/30/30"));
}

TEST_P(MessageTimesGraphTest, TheContractMayAskForThem) {
  TestGraph graph(GetParam(), R"(
    clock { type: "SyntheticClock" } input_stream: "a" input_stream: "b"
    node { calculator: "TestAcquisition" output_stream: "out"
           input_stream: "IN:0:a" input_stream: "IN:1:b"
           input_stream_info { tag_index: "IN" merge: true } })");
  graph.Observe("out");
  graph.Start();
  At(5, &graph);
  Add("a", 1, {.acquisition_ns = 2 * kMs}, &graph);
  Add("b", 2, {}, &graph);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:2 2:5");
}

TEST_P(MessageTimesGraphTest, WhoDoesNotAskIsToldHowTo) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "a" })");
  std::vector<std::string> calls;
  graph.Give("f", WriteDown(&calls));
  graph.Start();
  graph.Add("a", 1, 1);
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"n\""), HasSubstr("stream \"a\""),
                    HasSubstr("message_times: true")));
}

TEST_P(MessageTimesGraphTest, AHandlerThatPicksPacketsIsRefused) {
  WorkersGraph graph(GetParam());
  const absl::Status status =
      graph.Initialize(TestConfig(Timed(R"(input_stream_handler {
                 input_stream_handler: "FixedSizeInputStreamHandler" })")));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("node \"n\""), HasSubstr("\"a\""),
                    HasSubstr("FixedSizeInputStreamHandler")));
}

}  // namespace
}  // namespace syncline
