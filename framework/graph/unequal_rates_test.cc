// Joins of streams of unequal rate or clock, in whole graphs: what
// ApproximateTimeInputStreamHandler and LatestInputStreamHandler make depends
// on timestamps alone, and what matched nothing can be seen.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_log_capture.h"
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

std::string Handler(const std::string& name, const std::string& options) {
  return absl::Substitute(
      R"(input_stream_handler {
           input_stream_handler: "$0InputStreamHandler"
           options { [syncline.$0InputStreamHandlerOptions.ext] { $1 } } })",
      name, options);
}

// A node "join" of "a" and "b", with `fields`.
std::string Join(const std::string& fields) {
  return absl::StrCat(R"(
    node { calculator: "TestLambdaOffset" name: "join"
           input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" output_stream: "out" )",
                      fields, " }");
}

std::string FedJoin(const std::string& fields) {
  return absl::StrCat("input_stream: 'a' input_stream: 'b' ", Join(fields));
}

// Sends which values met, as digits: 1000 for the first.
absl::Status SendPair(CalculatorContext* cc) {
  int value = 0;
  for (int port = 0; port < 2; ++port) {
    const InputStream& input = cc->Inputs().Index(port);
    const int digit = input.IsEmpty() ? 999 : input.Get<int>();
    value = 1000 * value + digit;
  }
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(value).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

// A source of 0, 1, ... at these times.
TestFunction SendAt(std::vector<int> times) {
  auto next = std::make_shared<std::size_t>(0);
  return [times, next](CalculatorContext* cc) {
    if (*next == times.size()) {
      *next = 0;
      return tool::StatusStop();
    }
    const int value = static_cast<int>((*next)++);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(times[value])));
    return absl::OkStatus();
  };
}

// "a UNMATCHED 3, b AFTER_CLOSE 1": what "join" dropped.
std::string Drops(TestGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  if (!info.ok()) return "";
  std::vector<std::string> drops;
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    if (node.calculator_name() != "join") continue;
    for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
      for (const DroppedPacketsInfo& dropped : input.dropped_packets()) {
        drops.push_back(absl::StrCat(
            input.stream_name().substr(input.stream_name().rfind(':') + 1), " ",
            DroppedPacketsInfo::Cause_Name(dropped.cause()), " ",
            dropped.number_of_packets()));
      }
    }
  }
  return absl::StrJoin(drops, ", ");
}

class UnequalRatesTest : public ::testing::TestWithParam<Workers> {
 protected:
  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(UnequalRatesTest);

TEST_P(UnequalRatesTest, ClosePacketsMeetAndTheOthersAreCounted) {
  TestGraph graph(GetParam(),
                  FedJoin(Handler("ApproximateTime", "max_interval: 20")));
  graph.Give("f", SendPair);
  graph.Observe("out");
  graph.Start();
  for (int i = 0; i < 5; ++i) graph.Add("a", 33 * i, i);
  graph.Idle();
  graph.Add("b", 12, 1);
  graph.Add("b", 101, 2);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "12:1 101:3002");
  EXPECT_EQ(Drops(&graph), "a UNMATCHED 3");
}

TEST_P(UnequalRatesTest, WhileAJoinWaitsItsReadersHearHowFarItIs) {
  TestGraph graph(GetParam(), FedJoin(Handler("ApproximateTime", "")));
  graph.Give("f", SendPair);
  graph.Observe("out", /*with_bounds=*/true);
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "9-");
  graph.SetBound("b", 15);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "9- 14-");
  graph.Finish();
}

TEST_P(UnequalRatesTest, ASetIsMadeAsSoonAsNothingCanBeCloser) {
  TestGraph graph(GetParam(), FedJoin(Handler("ApproximateTime", "")));
  graph.Give("f", SendPair);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Add("b", 20, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  EXPECT_THAT(graph.graph().Explain(),
              HasSubstr("and its ApproximateTimeInputStreamHandler waits for "
                        "more of stream \"a\", whose bound is 11."));
  graph.SetBound("a", 30);  // behind a packet that waits
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "20:1002");
  graph.Finish();
}

TEST_P(UnequalRatesTest, WhatComesWhenNoSetCanComeIsCountedToo) {
  TestGraph graph(GetParam(), FedJoin(Handler("ApproximateTime", "")));
  graph.Give("f", SendPair);
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  graph.Close("b");
  graph.Idle();
  EXPECT_EQ(Drops(&graph), "a UNMATCHED 1");
  graph.Add("a", 20, 1);
  graph.Finish();
  EXPECT_EQ(Drops(&graph), "a AFTER_CLOSE 1, a UNMATCHED 1");
}

TEST_P(UnequalRatesTest, LatestWaitsForTheSideStreamAndShowsItAgain) {
  TestGraph graph(GetParam(),
                  FedJoin(Handler("Latest", "main_tag_index: ':0'")));
  graph.Give("f", SendPair);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 4; ++i) graph.Add("a", 10 * i, i);
  graph.Add("b", 12, 1);
  graph.Add("b", 17, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:1999");
  graph.SetBound("b", 31);  // behind packets that wait
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:1999 20:2002 30:3002");
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:1999 20:2002 30:3002 40:4002");
  EXPECT_EQ(Drops(&graph), "b UNMATCHED 1");
}

TEST_P(UnequalRatesTest, ASilentSideStreamCanBeIdle) {
  TestGraph graph(
      GetParam(),
      FedJoin(absl::StrCat(
          Handler("Latest", "main_tag_index: ':0'"),
          "input_stream_info { tag_index: ':1'"
          "                    idle_after { stream: ':0' gap: 50 } }")));
  graph.Give("f", SendPair);
  graph.Observe("out");
  graph.Start();
  graph.Add("b", 5, 7);
  graph.Add("a", 10, 1);
  graph.Add("a", 60, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:1007");
  graph.Add("b", 10, 8);
  graph.Add("b", 11, 9);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:1007 60:2009");
  EXPECT_EQ(Drops(&graph), "b LATE 1");
}

TEST_P(UnequalRatesTest, ApproximateTimeReadsIdleBounds) {
  TestGraph graph(
      GetParam(),
      FedJoin(absl::StrCat(
          Handler("ApproximateTime", ""),
          "input_stream_info { tag_index: ':0'"
          "                    idle_after { stream: ':1' gap: 50 } }")));
  graph.Give("f", SendPair);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Add("b", 20, 2);
  graph.SetBound("b", 79);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  graph.SetBound("b", 80);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "20:1002") << "\"a\" is settled below 30";
  graph.Finish();
}

TEST_P(UnequalRatesTest, AStreamThatSeldomMatchesIsWarnedOfAndNotTooOften) {
  TestGraph graph(GetParam(),
                  FedJoin(Handler("ApproximateTime",
                                  "max_interval: 5 min_match_share: 0.5")));
  graph.Give("f", SendPair);
  graph.Start();
  graph.SetBound("b", 5000);
  for (int i = 0; i < 100; ++i) graph.Add("a", 10 * i, i);
  graph.Finish();
  EXPECT_THAT(log_.With("min_match_share"),
              ElementsAre(AllOf(HasSubstr("\"join\" (TestLambdaOffset)"),
                                HasSubstr("only 0 of the first 20 packets of "
                                          "stream \"a\" matched"))));
}

// --- Any schedule

// All workers see the same streams, so they have to see the same results.
void ExpectTheSame(const std::string& key, const std::string& seen) {
  static auto* const first = new std::map<std::string, std::string>();
  const auto [entry, is_first] = first->try_emplace(key, seen);
  EXPECT_EQ(seen, entry->second) << key;
  EXPECT_NE(seen, "");
}

std::vector<int> RandomTimes(std::mt19937& random, int step) {
  std::vector<int> times;
  for (int time = 0; time < 2000;
       time += 1 + static_cast<int>(random() % static_cast<unsigned>(step))) {
    times.push_back(time);
  }
  return times;
}

TEST_P(UnequalRatesTest, SourcesOfAnyRateGiveTheSameOutputInEverySchedule) {
  const std::vector<std::string> handlers = {
      Handler("ApproximateTime", ""),
      Handler("ApproximateTime", "max_interval: 9 close_enough: 2"),
      Handler("ApproximateTime", "timestamp_base_tag_index: ':1'"),
      Handler("Latest", "main_tag_index: ':0'"),
      Handler("Latest", "main_tag_index: ':1' requires_all: true max_age: 20"),
      // Results leave in order, whatever overlaps.
      Handler("ApproximateTime", "") + " max_in_flight: 4",
      Handler("Latest", "main_tag_index: ':0'") + " max_in_flight: 4"};
  for (std::size_t i = 0; i < handlers.size(); ++i) {
    SCOPED_TRACE(handlers[i]);
    std::mt19937 random(static_cast<std::uint32_t>(i));
    TestGraph graph(GetParam(), absl::StrCat(R"(
          deterministic: true
          max_queue_size: 10
          node { calculator: "TestLambda" input_side_packet: "PROCESS:send_a"
                 output_stream: "a" }
          node { calculator: "TestLambda" input_side_packet: "PROCESS:send_b"
                 output_stream: "b" })",
                                             Join(handlers[i])));
    graph.Give("send_a", SendAt(RandomTimes(random, 40)));
    graph.Give("send_b", SendAt(RandomTimes(random, 15)));
    graph.Give("f", SendPair);
    graph.Observe("out");
    SYNCLINE_EXPECT_OK(graph.Run());
    ExpectTheSame(handlers[i], graph.Seen("out"));
  }
}

}  // namespace
}  // namespace syncline
