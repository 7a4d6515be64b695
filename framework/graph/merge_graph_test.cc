// `merge`: several streams flow into one input, in order of arrival, and the
// calculator knows of one stream. Nothing is lost, each producer's order is
// kept, and a join goes on as far as all of them have come.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
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
using ::testing::HasSubstr;

// A node "n" with one input IN, into which "a" and "b" flow; more `inputs`, and
// `info` on IN.
std::string Merging(const std::string& inputs = "",
                    const std::string& info = "",
                    const std::string& fields = "") {
  return absl::Substitute(
      R"(input_stream: "a" input_stream: "b" input_stream: "c"
         node { calculator: "TestLambdaOffset" name: "n"
                input_side_packet: "PROCESS:f"
                input_stream: "IN:0:a" input_stream: "IN:1:b" $0
                output_stream: "out"
                input_stream_info { tag_index: "IN" merge: true $1 } $2 })",
      inputs, info, fields);
}

class MergeGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(MergeGraphTest);

TEST_P(MergeGraphTest, PacketsComeInOrderOfArrivalAndTimestampsRise) {
  TestGraph graph(GetParam(), Merging());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  const auto add = [&](const char* stream, int time, int value) {
    graph.Add(stream, time, value);
    graph.Idle();
  };
  add("a", 10, 1);
  add("b", 20, 2);
  add("a", 15, 3);
  add("b", 21, 4);
  add("a", 30, 5);
  EXPECT_EQ(graph.Seen("out"), "10:1 20:2 21:3 22:4 30:5");
  graph.Finish();
}

TEST_P(MergeGraphTest, TheCalculatorSeesOneStream) {
  TestGraph graph(GetParam(), Merging());
  std::vector<int> sizes;
  graph.Give("f", [&sizes](CalculatorContext* cc) {
    sizes.push_back(cc->Inputs().NumEntries());
    EXPECT_EQ(cc->Inputs().NumEntries("IN"), 1);
    return SendSum(cc);
  });
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Add("b", 1, 1);
  graph.Finish();
  EXPECT_EQ(sizes, std::vector<int>({1, 1}));
}

TEST_P(MergeGraphTest, PacketsWithoutATimeGetTheNextPossibleOne) {
  TestGraph graph(GetParam(), Merging());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  const auto add = [&](const char* stream, Timestamp timestamp, int value) {
    SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
        stream, MakePacket<int>(value).At(timestamp)));
    graph.Idle();
  };
  add("a", Timestamp::PreStream(), 1);
  add("b", Timestamp(5), 2);
  add("b", Timestamp(6), 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"),
            absl::StrCat(Timestamp::Min().Value(), ":1 5:2 6:3"));

  graph.Start();
  add("b", Timestamp(5), 2);
  add("a", Timestamp::PostStream(), 1);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "5:2 6:1");
}

TEST_P(MergeGraphTest, AJoinGoesOnAsFarAsAllOfThemHaveCome) {
  TestGraph graph(GetParam(), Merging(R"(input_stream: "C:c")"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("c", 50, 1);
  graph.SetBound("a", 100);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "") << "b may still send something at 50";
  graph.SetBound("b", 60);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "50:1");
  graph.Add("c", 70, 2);
  graph.Close("b");
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "50:1 70:2") << "a ended at 60, b is at 100";
  graph.Finish();
}

TEST_P(MergeGraphTest, ItEndsWhenAllOfThemHaveEnded) {
  TestGraph graph(GetParam(), Merging());
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Close("a");
  graph.Idle();
  graph.Add("b", 1, 2);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
}

TEST_P(MergeGraphTest, QueuePoliciesHoldForTheMergedStream) {
  TestGraph graph(GetParam(), Merging(R"(input_stream: "C:c")",
                                      "max_queue_size: 2 queue_policy: POP"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 3; ++i) {
    graph.Add("a", 10 * i, i);
    graph.Idle();
    graph.Add("b", 10 * i + 1, 10 * i);
    graph.Idle();
  }
  graph.Close("c");
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "30:3 31:30");
}

TEST_P(MergeGraphTest, ConditionsCountThePacketsOfAll) {
  TestGraph graph(GetParam(), Merging("", "",
                                      R"(condition {
             type: "MessageAvailableCondition" options {
               [syncline.MessageAvailableConditionOptions.ext] {
                 receiver: "IN" min_size: 3 } } })"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Add("b", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  graph.Add("a", 3, 3);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 3);
}

TEST_P(MergeGraphTest, ALoopMayCloseThroughIt) {
  // Halves what comes in, until it is 1.
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
           input_stream: "IN:0:a" input_stream: "IN:1:again"
           output_stream: "out"
           input_stream_info { tag_index: "IN" merge: true }
           input_stream_info { tag_index: "IN:1" back_edge: true } }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:g"
           input_stream: "out" output_stream: "again" })");
  graph.Give("f", SendSum);
  graph.Give("g", [](CalculatorContext* cc) {
    const int value = cc->Inputs().Index(0).Get<int>();
    if (value == 1) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value / 2).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 1, 16);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:16 2:8 3:4 4:2 5:1");
  graph.Finish();
}

TEST_P(MergeGraphTest, AfterTheLastTimestampThereIsNoOtherOne) {
  TestGraph graph(GetParam(), Merging());
  graph.Give("f", SendSum);
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "a", MakePacket<int>(1).At(Timestamp::Max())));
  graph.Idle();
  graph.AddWithStatus("b", 3, 1).IgnoreError();
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"__merge_IN_of_n\""), HasSubstr("\"b\""),
                    HasSubstr("at 3")));
}

TEST_P(MergeGraphTest, SeveralProducersAndConsumersLoseNothing) {
  constexpr int kLast = 499;
  constexpr int kProducers = 3;
  std::string text;
  std::string inputs;
  for (int i = 0; i < kProducers; ++i) {
    absl::StrAppend(&text, absl::Substitute(
                               R"(node { calculator: "TestLambda"
                                  input_side_packet: "PROCESS:source$0"
                                  output_stream: "s$0" } )",
                               i));
    absl::StrAppend(&inputs,
                    absl::Substitute(R"(input_stream: "IN:$0:s$0" )", i));
  }
  for (const char* const consumer : {"x", "y"}) {
    absl::StrAppend(&text,
                    absl::Substitute(
                        R"(node { calculator: "TestLambdaOffset" name: "$1" $0
                        input_side_packet: "PROCESS:$1" output_stream: "out_$1"
                        input_stream_info { tag_index: "IN" merge: true } } )",
                        inputs, consumer));
  }
  TestGraph graph(GetParam(), text);
  for (int i = 0; i < kProducers; ++i) {
    auto next = std::make_shared<int>(0);
    graph.Give(absl::StrCat("source", i), [next, i](CalculatorContext* cc) {
      if (*next > kLast) return tool::StatusStop();
      const int value = (*next)++;
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(value * kProducers + i).At(Timestamp(value)));
      return absl::OkStatus();
    });
  }
  std::map<std::string, std::vector<int>> next;
  for (const std::string consumer : {"x", "y"}) {
    std::vector<int>& counts = next[consumer];
    counts.resize(kProducers);
    graph.Give(consumer, [&counts](CalculatorContext* cc) {
      const int value = cc->Inputs().Tag("IN").Get<int>();
      EXPECT_EQ(value / kProducers, counts[value % kProducers]++);
      return SendSum(cc);
    });
  }
  SYNCLINE_EXPECT_OK(graph.Run());
  for (const auto& [consumer, counts] : next) {
    for (const int count : counts) EXPECT_EQ(count, kLast + 1) << consumer;
  }
}

TEST_P(MergeGraphTest, TheHeaderIsThatOfTheFirstStreamThatHasOne) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "n" input_side_packet: "OPEN:open"
           input_stream: "IN:0:a" input_stream: "IN:1:b"
           input_stream_info { tag_index: "IN" merge: true } })");
  int header = 0;
  graph.Give("open", [&header](CalculatorContext* cc) {
    header = cc->Inputs().Tag("IN").Header().Get<int>();
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.StartWithHeaders({{"b", MakePacket<int>(7)}}));
  graph.Finish();
  EXPECT_EQ(header, 7);
}

}  // namespace
}  // namespace syncline
