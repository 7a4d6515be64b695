// FlowLimiterCalculator: which frames go through, which packets follow them,
// when the streams end, and options from all places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/flow_limiter_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// A limiter whose FINISHED input is fed by the test.
std::string Limiter(const std::string& options) {
  return absl::StrCat(
      R"pb(
        input_stream: "in"
        input_stream: "extra"
        input_stream: "finished"
        node { calculator: "FlowLimiterCalculator" input_stream: "in"
               input_stream: "extra"
               input_stream: "FINISHED:finished"
               output_stream: "out"
               output_stream: "extra_out"
               output_stream: "ALLOW:allow"
               options {
                 [syncline.FlowLimiterCalculatorOptions.ext] {)pb",
      options, "} } }");
}

class FlowLimiterTest : public WorkersTest {
 protected:
  // Feeds the inputs one by one, so that the limiter gets each in a call of its
  // own.
  static void FeedOneByOne(GraphHarness& graph, const std::string& stream,
                           const LiteralStream<int>& packets) {
    for (const LiteralPacket<int>& packet : packets) {
      graph.Feed(stream, {packet});
      graph.Idle();
    }
  }
  static std::int64_t Dropped(GraphHarness& graph) {
    return graph.graph()
        .GetCounterFactory()
        ->GetCounter("FlowLimiterCalculator-Dropped")
        ->Get();
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(FlowLimiterTest);

TEST_P(FlowLimiterTest, DropsFramesWhileOneIsInside) {
  GraphHarness graph(Limiter(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}, {20, 2}});
  FeedOneByOne(graph, "finished", {{0, 0}});
  FeedOneByOne(graph, "in", {{30, 3}, {40, 4}});
  graph.Expect("out", {{0, 0}, {30, 3}});
  graph.Expect<bool>(
      "allow", {{0, true}, {10, false}, {20, false}, {30, true}, {40, false}});
  EXPECT_EQ(Dropped(graph), 3);
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, KeepsTheNewestFramesInItsQueue) {
  GraphHarness graph(Limiter("max_in_flight: 1 max_in_queue: 2"), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}, {20, 2}, {30, 3}});
  graph.Expect<bool>("allow", {{0, true}, {10, false}});
  FeedOneByOne(graph, "finished", {{0, 0}});
  graph.Expect("out", {{0, 0}, {20, 2}});
  FeedOneByOne(graph, "finished", {{20, 0}});
  graph.Expect("out", {{0, 0}, {20, 2}, {30, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, LetsSeveralInside) {
  GraphHarness graph(Limiter("max_in_flight: 2"), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}, {20, 2}});
  FeedOneByOne(graph, "finished", {{0, 0}});
  FeedOneByOne(graph, "in", {{30, 3}, {40, 4}});
  graph.Expect("out", {{0, 0}, {10, 1}, {30, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, ABoundOfFinishedWillDo) {
  GraphHarness graph(Limiter("max_in_flight: 2"), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}});
  // Both frames have left.
  graph.SetBound("finished", 11);
  graph.Idle();
  FeedOneByOne(graph, "in", {{20, 2}, {30, 3}, {40, 4}});
  graph.Expect("out", {{0, 0}, {10, 1}, {20, 2}, {30, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, GivesUpFramesThatAreMuchOlder) {
  GraphHarness graph(Limiter("in_flight_timeout: 100"), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {100, 1}, {101, 2}, {150, 3}});
  graph.Expect("out", {{0, 0}, {101, 2}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, OtherStreamsFollowTheFrames) {
  GraphHarness graph(Limiter(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "extra", {{0, 100}, {5, 105}, {10, 110}, {15, 115}});
  // Nothing is decided yet.
  graph.Expect("extra_out", {});
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}});
  graph.Expect("extra_out", {{0, 100}, {5, 105}});
  FeedOneByOne(graph, "finished", {{0, 0}});
  FeedOneByOne(graph, "in", {{20, 2}, {30, 3}});
  FeedOneByOne(graph, "extra", {{20, 120}, {35, 135}});
  graph.Expect("extra_out", {{0, 100}, {5, 105}, {20, 120}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("extra_out", {{0, 100}, {5, 105}, {20, 120}});
}

TEST_P(FlowLimiterTest, OtherStreamsPassBeforeTheFirstFrame) {
  GraphHarness graph(Limiter("max_in_flight: 0"), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "extra", {{0, 100}, {5, 105}, {10, 110}, {15, 115}});
  graph.Expect("extra_out", {});
  // No frame will come up to 7.
  graph.SetBound("in", 8);
  graph.Idle();
  graph.Expect("extra_out", {{0, 100}, {5, 105}});
  // The frame at 10 is dropped, and what follows it.
  FeedOneByOne(graph, "in", {{10, 0}, {20, 1}});
  graph.Expect("out", {});
  graph.Expect("extra_out", {{0, 100}, {5, 105}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("extra_out", {{0, 100}, {5, 105}});
}

TEST_P(FlowLimiterTest, OtherStreamsDoNotPileUpWhileFramesStandStill) {
  GraphHarness graph(Limiter("max_following: 2"), GetParam());
  graph.CollectBounds("extra_out");
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "extra", {{0, 100}, {5, 105}});
  EXPECT_EQ(Dropped(graph), 0);
  FeedOneByOne(graph, "extra", {{10, 110}, {15, 115}});
  EXPECT_EQ(Dropped(graph), 2);
  std::vector<Packet> out = graph.Packets("extra_out");
  ASSERT_FALSE(out.empty());
  EXPECT_TRUE(out.back().IsEmpty());
  EXPECT_THAT(out.back(), HasTimestamp(9));
  FeedOneByOne(graph, "in", {{0, 0}, {20, 1}});
  out = graph.Packets("extra_out");
  out.erase(std::remove_if(out.begin(), out.end(),
                           [](const Packet& bound) { return bound.IsEmpty(); }),
            out.end());
  EXPECT_THAT(out, StreamIs({{10, 110}, {15, 115}}));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, AThousandMayWait) {
  GraphHarness graph(Limiter(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int time = 0; time < 1500; ++time) graph.Feed("extra", {{time, time}});
  graph.Idle();
  EXPECT_EQ(Dropped(graph), 500);
  FeedOneByOne(graph, "in", {{0, 0}, {2000, 1}});
  EXPECT_EQ(graph.Count("extra_out"), 1000);
  EXPECT_THAT(graph.Packets("extra_out")[0], PacketIs<int>(500, 500));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, DecisionsAreNotKeptForEverForStreamsThatAreLate) {
  const auto run = [](const std::string& options) {
    GraphHarness graph(Limiter(options), GetParam());
    SYNCLINE_EXPECT_OK(graph.Start());
    for (const int time : {0, 20, 40}) {
      // The first frame goes through, the second does not.
      FeedOneByOne(graph, "in", {{time, 0}, {time + 10, 0}});
      FeedOneByOne(graph, "finished", {{time, 0}});
    }
    graph.Expect("out", {{0, 0}, {20, 0}, {40, 0}});
    FeedOneByOne(graph, "extra", {{5, 5}, {25, 25}, {45, 45}});
    std::vector<int> followed;
    for (const Packet& packet : graph.Packets("extra_out")) {
      followed.push_back(packet.Get<int>());
    }
    SYNCLINE_EXPECT_OK(graph.Finish());
    return followed;
  };
  EXPECT_THAT(run(""), testing::ElementsAre(5, 25, 45));
  EXPECT_THAT(run("max_following: 4"), testing::ElementsAre(25, 45));
  EXPECT_THAT(run("max_following: 2"), testing::ElementsAre(45));
}

TEST_P(FlowLimiterTest, DroppedFramesAreBounds) {
  GraphHarness graph(Limiter(""), GetParam());
  graph.CollectBounds("out");
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}});
  const std::vector<Packet> out = graph.Packets("out");
  ASSERT_EQ(out.size(), 2) << graph.Timelines();
  EXPECT_THAT(out[1], HasTimestamp(10));
  EXPECT_TRUE(out[1].IsEmpty());
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, OutputsEndWithTheInputs) {
  // A second join would wait for ever if one output stayed open.
  GraphHarness graph(
      R"pb(
        input_stream: "in"
        node {
          calculator: "FlowLimiterCalculator"
          input_stream: "in"
          input_stream: "FINISHED:finished"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "limited"
        }
        node {
          calculator: "WorkCalculator"
          input_stream: "limited"
          output_stream: "finished"
          options {
            [syncline.TestCalculatorOptions.ext] { sleep_us: 300 }
          }
        })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int i = 0; i < 100; ++i) graph.Feed("in", {{i, i}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  EXPECT_EQ(graph.Count("limited"), graph.Count("finished"));
  EXPECT_GE(graph.Count("limited"), 1);
  EXPECT_THAT(graph.Packets("finished")[0], PacketIs<int>(0, 0));
}

TEST_P(FlowLimiterTest, EveryFrameGoesThroughWhereTheyComeSlowly) {
  GraphHarness graph(
      R"pb(
        input_stream: "in"
        node {
          calculator: "FlowLimiterCalculator"
          input_stream: "in"
          input_stream: "FINISHED:finished"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "limited"
        }
        # Answers every other frame with a packet, the rest with bounds.
        node {
          calculator: "FilterCalculator"
          input_stream: "limited"
          output_stream: "finished"
          options {
            [syncline.TestCalculatorOptions.ext] {
              multiples_of: 2
              promise_offset: true
            }
          }
        })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int i = 0; i < 20; ++i) FeedOneByOne(graph, "in", {{i, i}});
  EXPECT_EQ(graph.Count("limited"), 20);
  EXPECT_EQ(graph.Count("finished"), 10);
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, AFrameAtPreStreamIsTheOnlyOne) {
  GraphHarness graph(Limiter(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{Timestamp::PreStream(), 7}});
  graph.Expect("out", {{Timestamp::PreStream(), 7}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// --- Options

TEST_P(FlowLimiterTest, OptionsComeFromTheNodeThenSidePacketsThenTheStream) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_stream: "finished"
                       input_stream: "options"
                       input_side_packet: "options"
                       input_side_packet: "max"
                       node {
                         calculator: "FlowLimiterCalculator"
                         input_stream: "in"
                         input_stream: "FINISHED:finished"
                         input_stream: "OPTIONS:options"
                         input_side_packet: "OPTIONS:options"
                         input_side_packet: "MAX_IN_FLIGHT:max"
                         output_stream: "out"
                         options {
                           [syncline.FlowLimiterCalculatorOptions.ext] {
                             max_in_flight: 9
                             max_in_queue: 9
                           }
                         }
                       })pb",
                     GetParam());
  FlowLimiterCalculatorOptions no_queue;
  no_queue.set_max_in_queue(0);
  graph.SetSidePacket("options",
                      MakePacket<FlowLimiterCalculatorOptions>(no_queue));
  graph.SetSidePacket("max", MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedOneByOne(graph, "in", {{0, 0}, {10, 1}});
  FlowLimiterCalculatorOptions three;
  three.set_max_in_flight(3);
  graph.FeedPacket(
      "options",
      MakePacket<FlowLimiterCalculatorOptions>(three).At(Timestamp(15)));
  graph.Idle();
  FeedOneByOne(graph, "in", {{20, 2}, {30, 3}, {40, 4}});
  graph.Expect("out", {{0, 0}, {20, 2}, {30, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowLimiterTest, RefusesNegativeLimits) {
  for (const char* const options :
       {"max_in_flight: -1", "max_in_queue: -1", "in_flight_timeout: -1",
        "max_following: -1"}) {
    GraphHarness graph(Limiter(options), GetParam());
    EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("not negative")));
  }
}

TEST_P(FlowLimiterTest, HeadersGoThrough) {
  GraphHarness graph(absl::StrCat(Limiter(""), R"pb(
                       node {
                         calculator: "LambdaCalculator"
                         input_stream: "extra_out"
                         input_side_packet: "OPEN:open"
                       })pb"),
                     GetParam());
  graph.SetFunction("open", [](CalculatorContext* cc) {
    EXPECT_EQ(cc->Inputs().Index(0).Header().Get<int>(), 5);
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start({{"extra", MakePacket<int>(5)}}));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// --- Contract

TEST(FlowLimiterContractTest, NeedsFinishedAndAsManyOutputsAsInputs) {
  EXPECT_THAT(CalculatorHarness(R"pb(
                calculator: "FlowLimiterCalculator"
                input_stream: "a"
                output_stream: "b")pb")
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("needs the input FINISHED")));
  EXPECT_THAT(CalculatorHarness(R"pb(
                calculator: "FlowLimiterCalculator"
                input_stream: "a"
                input_stream: "b"
                input_stream: "FINISHED:f"
                output_stream: "c")pb")
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("as many outputs")));
}

}  // namespace
}  // namespace syncline
