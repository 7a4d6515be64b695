// Loops over collections and over streams: time inside and outside, clones,
// empty collections, and bounds that pass through the whole loop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calculators/core/begin_loop_calculator.h"
#include "calculators/core/end_loop_calculator.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Ints = std::vector<int>;
using Strings = std::vector<std::string>;

using TestEndLoopIntsCalculator = EndLoopCalculator<Ints>;
REGISTER_CALCULATOR(TestEndLoopIntsCalculator);
using TestBeginLoopBoolsCalculator = BeginLoopCalculator<std::vector<bool>>;
REGISTER_CALCULATOR(TestBeginLoopBoolsCalculator);
using Owned = std::unique_ptr<int>;
using TestBeginLoopOwnedCalculator = BeginLoopCalculator<std::vector<Owned>>;
REGISTER_CALCULATOR(TestBeginLoopOwnedCalculator);
using TestEndLoopOwnedCalculator = EndLoopCalculator<std::vector<Owned>>;
REGISTER_CALCULATOR(TestEndLoopOwnedCalculator);

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}
Packet Bound(int time) { return Packet().At(Timestamp(time)); }
Packet TimeAt(int step, int time) { return At(step, Timestamp(time)); }

auto EndsBatch(int step, int time) {
  return PacketIs<Timestamp>(step, Timestamp(time));
}

// --- Begin

constexpr char kBeginLoop[] = R"pb(
  calculator: "BeginLoopIntCalculator"
  input_stream: "ITERABLE:ints"
  input_stream: "CLONE:a"
  input_stream: "CLONE:1:b"
  output_stream: "ITEM:int"
  output_stream: "CLONE:loop_a"
  output_stream: "CLONE:1:loop_b"
  output_stream: "BATCH_END:end"
)pb";

TEST(BeginLoopTest, TimeInsideIsOneStepForEachElement) {
  CalculatorHarness harness(kBeginLoop);
  harness.Feed("ITERABLE", {At(100, Ints{1, 2}), At(200, Ints{3})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_THAT(harness.Output("BATCH_END"),
              ElementsAre(EndsBatch(1, 100), EndsBatch(2, 200)));
}

TEST(BeginLoopTest, AnEmptyCollectionTakesOneStep) {
  CalculatorHarness harness(kBeginLoop);
  harness.Feed("ITERABLE", {At(100, Ints{}), At(200, Ints{1})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{1, 1}}));
  EXPECT_THAT(harness.Output("BATCH_END"),
              ElementsAre(EndsBatch(0, 100), EndsBatch(1, 200)));
}

TEST(BeginLoopTest, ATimeWithoutCollectionTakesOneStep) {
  CalculatorHarness harness(kBeginLoop);
  harness.Feed("ITERABLE", {At(100, Ints{1}), Bound(200), At(300, Ints{2})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{0, 1}, {2, 2}}));
  EXPECT_THAT(
      harness.Output("BATCH_END"),
      ElementsAre(EndsBatch(0, 100), EndsBatch(1, 200), EndsBatch(2, 300)));
}

TEST(BeginLoopTest, ClonesGoAlongWithEachElement) {
  CalculatorHarness harness(kBeginLoop);
  harness.Feed("ITERABLE", {At(100, Ints{1, 2}), At(200, Ints{3})});
  harness.Feed("CLONE", {At(100, 7), At(200, 8)});
  harness.Feed("CLONE:1", {At(150, 'x'), At(200, 'y')});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("CLONE"), StreamIs({{0, 7}, {1, 7}, {3, 8}}));
  EXPECT_THAT(harness.Output("CLONE:1"), StreamIs<char>({{3, 'y'}}));
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{0, 1}, {1, 2}, {3, 3}}));
}

TEST(BeginLoopTest, ElementsPointIntoTheCollection) {
  CalculatorHarness harness(R"pb(
    calculator: "BeginLoopStringCalculator"
    input_stream: "ITERABLE:strings"
    input_stream: "TICK:tick"
    output_stream: "ITEM:string"
    output_stream: "BATCH_END:end"
  )pb");
  const Packet strings = At(1, Strings{"a", "b"});
  harness.Feed("ITERABLE", {strings});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("ITEM").size(), 2);
  EXPECT_EQ(&harness.Output("ITEM")[1].Get<std::string>(),
            &strings.Get<Strings>()[1]);
}

TEST(BeginLoopTest, ElementsOutliveThePacketOfTheCollection) {
  Packet element;
  {
    CalculatorHarness harness(R"pb(
      calculator: "BeginLoopStringCalculator"
      input_stream: "ITERABLE:strings"
      output_stream: "ITEM:string"
      output_stream: "BATCH_END:end"
    )pb");
    harness.Feed("ITERABLE", {At(1, Strings{"a", "b"})});
    SYNCLINE_ASSERT_OK(harness.Run());
    element = harness.Output("ITEM")[1];
  }
  EXPECT_EQ(element.Get<std::string>(), "b");
}

TEST(BeginLoopTest, LoopsOverBools) {
  CalculatorHarness harness(R"pb(
    calculator: "TestBeginLoopBoolsCalculator"
    input_stream: "ITERABLE:bools"
    output_stream: "ITEM:bool"
    output_stream: "BATCH_END:end"
  )pb");
  harness.Feed("ITERABLE", {At(1, std::vector<bool>{true, false})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs<bool>({{0, true}, {1, false}}));
}

TEST(BeginLoopTest, RefusesClonesWithoutPartners) {
  CalculatorHarness harness(R"pb(
    calculator: "BeginLoopIntCalculator"
    input_stream: "ITERABLE:ints"
    input_stream: "CLONE:a"
    output_stream: "ITEM:int"
    output_stream: "BATCH_END:end"
  )pb");
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("CLONE")));
}

// --- End

constexpr char kEndLoop[] = R"pb(
  calculator: "TestEndLoopIntsCalculator"
  input_stream: "ITEM:int"
  input_stream: "BATCH_END:end"
  output_stream: "ITERABLE:ints"
)pb";

TEST(EndLoopTest, CollectsABatchAtTheTimeOutside) {
  CalculatorHarness harness(kEndLoop);
  harness.Feed("ITEM", {At(0, 1), At(1, 2), At(3, 4)});
  harness.Feed("BATCH_END", {TimeAt(1, 100), TimeAt(2, 200), TimeAt(4, 300)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITERABLE"),
              ElementsAre(PacketIs<Ints>(100, ElementsAre(1, 2)),
                          PacketIs<Ints>(300, ElementsAre(4))));
  EXPECT_THAT(harness.OutputBounds("ITERABLE"),
              ElementsAre(Timestamp(101), Timestamp(201), Timestamp(301),
                          Timestamp::Done()));
}

TEST(EndLoopTest, WhatCannotBeCopiedMayNotBeShared) {
  CalculatorHarness harness(R"pb(
    calculator: "TestEndLoopOwnedCalculator"
    input_stream: "ITEM:item"
    input_stream: "BATCH_END:end"
    output_stream: "ITERABLE:items"
  )pb");
  harness.Feed("ITEM", {At(0, std::make_unique<int>(1))});
  EXPECT_THAT(harness.Run().message(), HasSubstr("only reader"));
}

// --- Loops over streams

TEST(ItemLoopTest, EachStreamTakesAStep) {
  CalculatorHarness harness(R"pb(
    calculator: "BeginItemLoopCalculator"
    input_stream: "ITEM:0:left"
    input_stream: "ITEM:1:right"
    input_stream: "CLONE:a"
    output_stream: "ITEM:hand"
    output_stream: "CLONE:loop_a"
    output_stream: "BATCH_END:end"
  )pb");
  harness.Feed("ITEM:0", {At(100, 1), Bound(200)});
  harness.Feed("ITEM:1", {At(100, 2), At(200, 3)});
  harness.Feed("CLONE", {At(100, 7)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{0, 1}, {1, 2}, {3, 3}}));
  EXPECT_THAT(harness.Output("CLONE"), StreamIs({{0, 7}, {1, 7}}));
  EXPECT_THAT(harness.Output("BATCH_END"),
              ElementsAre(EndsBatch(1, 100), EndsBatch(3, 200)));
}

constexpr char kEndItemLoop[] = R"pb(
  calculator: "EndItemLoopCalculator"
  input_stream: "ITEM:hand"
  input_stream: "BATCH_END:end"
  output_stream: "ITEM:0:left"
  output_stream: "ITEM:1:right"
)pb";

TEST(ItemLoopTest, ItemsGoBackToTheirStreams) {
  CalculatorHarness harness(kEndItemLoop);
  // The second batch has no items.
  harness.Feed("ITEM", {At(0, 1), At(1, 2), At(4, 3), At(5, 4)});
  harness.Feed("BATCH_END", {TimeAt(1, 100), TimeAt(3, 200), TimeAt(5, 300)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM:0"), StreamIs({{100, 1}, {300, 3}}));
  EXPECT_THAT(harness.Output("ITEM:1"), StreamIs({{100, 2}, {300, 4}}));
  EXPECT_THAT(harness.OutputBounds("ITEM:0"),
              ElementsAre(Timestamp(101), Timestamp(201), Timestamp(301),
                          Timestamp::Done()));
}

TEST(ItemLoopTest, ABatchWithItemsForSomeOutputsIsAnError) {
  CalculatorHarness harness(kEndItemLoop);
  harness.Feed("ITEM", {At(1, 1)});
  harness.Feed("BATCH_END", {TimeAt(1, 100)});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("ends at 1 has 1 items, but "
                                                "there are 2 outputs ITEM")));
}

TEST(ItemLoopTest, AnItemTooManyIsAnError) {
  CalculatorHarness harness(kEndItemLoop);
  harness.Feed("ITEM", {At(0, 1), At(1, 2), At(2, 3)});
  harness.Feed("BATCH_END", {TimeAt(2, 100)});
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("at 2 is number 3 of its batch, but there are "
                                 "2 outputs ITEM")));
}

// --- Whole loops

class LoopGraphTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(LoopGraphTest);

// Doubles multiples of two and drops the rest.
constexpr char kLoop[] = R"pb(
  input_stream: "ints"
  input_stream: "other"
  node {
    calculator: "BeginLoopIntCalculator"
    input_stream: "ITERABLE:ints"
    output_stream: "ITEM:int"
    output_stream: "BATCH_END:end"
  }
  node {
    calculator: "FilterCalculator"
    input_stream: "int"
    output_stream: "even"
    options {
      [syncline.TestCalculatorOptions.ext] {
        multiples_of: 2
        promise_offset: true
      }
    }
  }
  node {
    calculator: "TestEndLoopIntsCalculator"
    input_stream: "ITEM:even"
    input_stream: "BATCH_END:end"
    output_stream: "ITERABLE:evens"
  }
  node {
    calculator: "PassThroughCalculator"
    input_stream: "evens"
    input_stream: "other"
    output_stream: "joined"
    output_stream: "joined_other"
  }
)pb";

TEST_P(LoopGraphTest, FiltersTheElementsOfEachCollection) {
  GraphHarness graph(kLoop, GetParam());
  graph.FeedPacket("ints", At(100, Ints{1, 2, 3, 4}));
  graph.FeedPacket("ints", At(200, Ints{}));
  graph.FeedPacket("ints", At(300, Ints{1}));
  graph.FeedPacket("ints", At(400, Ints{6}));
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(graph.Packets("evens"),
              ElementsAre(PacketIs<Ints>(100, ElementsAre(2, 4)),
                          PacketIs<Ints>(400, ElementsAre(6))));
}

TEST_P(LoopGraphTest, AnIdleLoopDoesNotStallAJoin) {
  GraphHarness graph(kLoop, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("other", {{100, 1}, {200, 2}, {300, 3}});
  graph.FeedPacket("ints", At(100, Ints{}));
  graph.Idle();
  graph.Expect("joined_other", {{100, 1}});
  graph.SetBound("ints", 301);
  graph.Idle();
  graph.Expect("joined_other", {{100, 1}, {200, 2}, {300, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(LoopGraphTest, ItemsThatCannotBeCopiedPassThrough) {
  GraphHarness graph(R"pb(
                       input_stream: "left"
                       input_stream: "right"
                       node {
                         calculator: "BeginItemLoopCalculator"
                         input_stream: "ITEM:0:left"
                         input_stream: "ITEM:1:right"
                         output_stream: "ITEM:item"
                         output_stream: "BATCH_END:end"
                       }
                       node {
                         calculator: "PassThroughCalculator"
                         input_stream: "item"
                         output_stream: "same"
                       }
                       node {
                         calculator: "EndItemLoopCalculator"
                         input_stream: "ITEM:same"
                         input_stream: "BATCH_END:end"
                         output_stream: "ITEM:0:left_out"
                         output_stream: "ITEM:1:right_out"
                       })pb",
                     GetParam());
  graph.FeedPacket("left", At(100, std::make_unique<int>(1)));
  graph.FeedPacket("right", At(100, std::make_unique<int>(2)));
  graph.FeedPacket("left", At(200, std::make_unique<int>(4)));
  graph.FeedPacket("right", At(200, std::make_unique<int>(3)));
  SYNCLINE_ASSERT_OK(graph.Run());
  ASSERT_EQ(graph.Count("left_out"), 2);
  EXPECT_EQ(*graph.Packets("left_out")[0].Get<Owned>(), 1);
  ASSERT_EQ(graph.Count("right_out"), 2);
  EXPECT_EQ(*graph.Packets("right_out")[1].Get<Owned>(), 3);
  EXPECT_THAT(graph.Packets("right_out")[1], HasTimestamp(200));
}

}  // namespace
}  // namespace syncline
