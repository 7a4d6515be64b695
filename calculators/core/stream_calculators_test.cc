// Calculators that check or select packets of streams: presence, merging, and
// the loopback of the packet before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

Packet At(int time, int value) {
  return MakePacket<int>(value).At(Timestamp(time));
}
Packet Bound(int time) { return Packet().At(Timestamp(time)); }

// --- PacketPresenceCalculator

TEST(PacketPresenceTest, SaysForEachSettledTimeWhetherThereIsAPacket) {
  CalculatorHarness harness(R"pb(
    calculator: "PacketPresenceCalculator"
    input_stream: "PACKET:in"
    output_stream: "PRESENCE:out"
  )pb");
  harness.Feed("PACKET", {At(10, 1), Bound(20), At(30, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("PRESENCE"),
              StreamIs<bool>({{10, true}, {20, false}, {30, true}}));
}

// --- MergeCalculator

constexpr char kMerge[] = R"pb(
  calculator: "MergeCalculator"
  input_stream: "a"
  input_stream: "b"
  output_stream: "out"
)pb";

TEST(MergeTest, TakesTheFirstInputThatHasAPacket) {
  CalculatorHarness harness(kMerge);
  harness.Feed(":0", {At(10, 1), At(30, 3)});
  harness.Feed(":1", {At(10, -1), At(20, -2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{10, 1}, {20, -2}, {30, 3}}));
}

TEST(MergeTest, InputsMayCarryTypesThatOnlyTheReaderTellsApart) {
  CalculatorHarness harness(kMerge);
  harness.Feed(":0", {At(10, 1)});
  harness.Feed(":1", {MakePacket<std::string>("x").At(Timestamp(20))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("")[1].Get<std::string>(), "x");
}

TEST(MergeTest, RefusesANodeWithoutInputs) {
  CalculatorHarness harness(R"pb(calculator: "MergeCalculator"
                                 output_stream: "out")pb");
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("at least one input")));
}

// --- PreviousLoopbackCalculator

class PreviousLoopbackTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(PreviousLoopbackTest);

// LOOP comes from outside.
constexpr char kOpenLoop[] = R"pb(
  input_stream: "main"
  input_stream: "loop"
  node {
    calculator: "PreviousLoopbackCalculator"
    input_stream: "MAIN:main"
    input_stream: "LOOP:loop"
    output_stream: "PREV_LOOP:previous"
  }
)pb";

TEST_P(PreviousLoopbackTest, GivesWhatLoopHadAtTheTimeBefore) {
  GraphHarness graph(R"pb(
                       input_stream: "main"
                       node {
                         calculator: "PreviousLoopbackCalculator"
                         input_stream: "MAIN:main"
                         input_stream: "LOOP:loop"
                         input_stream_info { tag_index: "LOOP" back_edge: true }
                         output_stream: "PREV_LOOP:previous"
                       }
                       node {
                         calculator: "PassThroughCalculator"
                         input_stream: "main"
                         input_stream: "previous"
                         output_stream: "loop"
                         output_stream: "joined"
                       })pb",
                     GetParam());
  graph.Feed("main", {{1, 10}, {2, 20}, {5, 50}, {15, 150}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("previous", {{2, 10}, {5, 20}, {15, 50}});
  graph.Expect("loop", {{1, 10}, {2, 20}, {5, 50}, {15, 150}});
}

TEST_P(PreviousLoopbackTest, TheFirstPacketHasNothingBefore) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.CollectBounds("previous");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("main", {{10, 1}});
  graph.Idle();
  // It also does not wait for LOOP.
  ASSERT_EQ(graph.Count("previous"), 1) << graph.Timelines();
  EXPECT_THAT(graph.Packets("previous")[0], HasTimestamp(10));
  EXPECT_TRUE(graph.Packets("previous")[0].IsEmpty());
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(PreviousLoopbackTest, WaitsUntilLoopIsSettledAtTheTimeBefore) {
  GraphHarness graph(kOpenLoop, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("main", {{10, 1}, {20, 2}, {30, 3}});
  graph.Idle();
  graph.Expect("previous", {});
  graph.Feed("loop", {{10, 100}});
  graph.Idle();
  graph.Expect("previous", {{20, 100}});
  // A packet of LOOP between two packets of MAIN is dropped; and LOOP has none
  // at 20.
  graph.Feed("loop", {{25, 250}, {30, 300}});
  graph.Feed("main", {{40, 4}});
  graph.Idle();
  graph.Expect("previous", {{20, 100}, {40, 300}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(PreviousLoopbackTest, ABoundOfLoopIsAnAnswerToo) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.CollectBounds("previous");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("main", {{10, 1}, {20, 2}});
  graph.SetBound("loop", 11);
  graph.Idle();
  const std::vector<Packet> previous = graph.Packets("previous");
  ASSERT_FALSE(previous.empty());
  EXPECT_TRUE(previous.back().IsEmpty());
  EXPECT_THAT(previous.back(), HasTimestamp(20));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(PreviousLoopbackTest, ABoundOfMainPassesAndDoesNotCountAsBefore) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.CollectBounds("previous");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("main", {{10, 1}});
  graph.SetBound("main", 21);
  graph.Idle();
  EXPECT_THAT(graph.Packets("previous").back(), HasTimestamp(20));
  graph.Feed("loop", {{10, 100}});
  graph.Feed("main", {{30, 3}});
  graph.Idle();
  EXPECT_THAT(graph.Packets("previous").back(), PacketIs<int>(30, 100));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(PreviousLoopbackTest, EndsWithMain) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.CollectBounds("previous");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("main", {{10, 1}, {20, 2}});
  graph.Close("main");
  graph.Idle();
  graph.Feed("loop", {{10, 100}});
  graph.Idle();
  // It comes although LOOP is still open.
  EXPECT_THAT(graph.Packets("previous").back(), PacketIs<int>(20, 100));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(PreviousLoopbackTest, APacketAtMaxIsTheLast) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.Feed("main", {{10, 1}, {Timestamp::Max(), 2}});
  graph.Feed("loop", {{10, 100}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("previous", {{Timestamp::Max(), 100}});
}

TEST_P(PreviousLoopbackTest, APacketAtPreStreamIsTheOnlyOne) {
  GraphHarness graph(kOpenLoop, GetParam());
  graph.Feed("main", {{Timestamp::PreStream(), 1}});
  graph.Feed("loop", {{10, 100}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("previous", {});
}

}  // namespace
}  // namespace syncline
