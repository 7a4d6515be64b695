// The calculators that concatenate and split vectors, for numbers and for types
// that cannot be copied.
#include "calculators/core/vector_calculators_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/concatenate_vector_calculator.h"
#include "calculators/core/split_vector_calculator.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using TestConcatenateIntsCalculator = ConcatenateVectorCalculator<int>;
REGISTER_CALCULATOR(TestConcatenateIntsCalculator);
using TestConcatenateOwnedCalculator = api2::ConcatenateVectorCalculator<Owned>;
REGISTER_CALCULATOR(TestConcatenateOwnedCalculator);
using TestSplitIntsCalculator = SplitVectorCalculator<int, false>;
REGISTER_CALCULATOR(TestSplitIntsCalculator);
using TestSplitBoolsCalculator = SplitVectorCalculator<bool, false>;
REGISTER_CALCULATOR(TestSplitBoolsCalculator);
using TestSplitOwnedCalculator = SplitVectorCalculator<Owned, true>;
REGISTER_CALCULATOR(TestSplitOwnedCalculator);

// --- Concatenate

std::string Concatenate(const std::string& options = "") {
  return Node("TestConcatenateIntsCalculator", 3, 1,
              absl::StrCat(" options { [syncline."
                           "ConcatenateVectorCalculatorOptions.ext] {",
                           options, "} }"));
}

TEST(ConcatenateVectorTest, JoinsVectorsAndElementsInTheOrderOfTheInputs) {
  CalculatorHarness harness(Concatenate());
  harness.Feed(":0", {PacketAt(1, Ints{1, 2})});
  harness.Feed(":1", {PacketAt(1, 3)});
  harness.Feed(":2", {PacketAt(1, Ints{4})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1, 2, 3, 4))));
}

TEST(ConcatenateVectorTest, AnEmptyInputAddsNothing) {
  CalculatorHarness harness(Concatenate());
  harness.Feed(":0", {PacketAt(1, Ints{1})});
  harness.Feed(":2", {PacketAt(1, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1, 2))));
}

TEST(ConcatenateVectorTest, AVectorAloneGoesOnAsItIs) {
  CalculatorHarness harness(Concatenate());
  const Packet alone = PacketAt(1, Ints{1, 2});
  harness.Feed(":1", {alone});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 1);
  EXPECT_EQ(harness.Output("")[0], alone) << "the value is shared, not copied";
}

TEST(ConcatenateVectorTest, OnlyEmitsIfAllArePresentWhereAskedTo) {
  CalculatorHarness harness(Concatenate("only_emit_if_all_present: true"));
  harness.Feed(":0", {PacketAt(1, 1), PacketAt(2, 1)});
  harness.Feed(":1", {PacketAt(1, 2), PacketAt(2, 2)});
  harness.Feed(":2", {PacketAt(2, 3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(2, ElementsAre(1, 2, 3))));
}

TEST(ConcatenateVectorTest, MovesWhatCannotBeCopied) {
  const std::string node = Node("TestConcatenateOwnedCalculator", 2, 1);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(node, OwnedAt(1, {1, 2}), OneOwnedAt(1, 3)));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(1, 2, 3));
}

TEST(ConcatenateVectorTest, WhatCannotBeCopiedMayNotBeShared) {
  // The harness keeps its inputs for another run, so they are shared.
  CalculatorHarness harness(Node("TestConcatenateOwnedCalculator", 2, 1));
  harness.Feed(":0", {OwnedAt(1, {1, 2})});
  harness.Feed(":1", {OneOwnedAt(1, 3)});
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("only reader"), HasSubstr("in0"))));
}

TEST(ConcatenateVectorTest, RefusesANodeWithoutInputs) {
  CalculatorHarness harness(Node("TestConcatenateIntsCalculator", 0, 1));
  EXPECT_THAT(harness.Run().message(), HasSubstr("at least one input"));
}

// --- Split

TEST(SplitVectorTest, SendsEachRangeToItsOutput) {
  CalculatorHarness harness(
      Split(2, "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 3 }"));
  harness.Feed("", {PacketAt(1, Ints{10, 11, 12, 13})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(10))));
  EXPECT_THAT(harness.Output(":1"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(11, 12))));
}

TEST(SplitVectorTest, SendsElementsWithElementOnly) {
  CalculatorHarness harness(
      Split(2,
            "ranges { begin: 2 end: 3 } ranges { begin: 0 end: 1 } "
            "element_only: true"));
  harness.Feed("", {PacketAt(1, Ints{10, 11, 12})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{1, 12}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{1, 10}}));
}

TEST(SplitVectorTest, CombinesRangesInTheirOrder) {
  CalculatorHarness harness(
      Split(1,
            "ranges { begin: 2 end: 4 } ranges { begin: 0 end: 1 } "
            "combine_outputs: true element_only: true"));
  harness.Feed("", {PacketAt(1, Ints{10, 11, 12, 13})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(12, 13, 10))));
}

TEST(SplitVectorTest, SplitsBools) {
  CalculatorHarness harness(
      Split(1, "ranges { begin: 1 end: 2 } element_only: true",
            "TestSplitBoolsCalculator"));
  harness.Feed("",
               {MakePacket<std::vector<bool>>(std::vector<bool>{false, true})
                    .At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{1, true}}));
}

TEST(SplitVectorTest, RangesOfCopiesMayOverlap) {
  CalculatorHarness harness(
      Split(2, "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 }"));
  harness.Feed("", {PacketAt(1, Ints{10, 11, 12})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":1"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(11, 12))));
}

TEST(SplitVectorTest, AShortVectorIsAnError) {
  CalculatorHarness harness(Split(1, "ranges { begin: 1 end: 3 }"));
  harness.Feed("", {PacketAt(1, Ints{10, 11})});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("there are 2 elements")));
}

TEST(SplitVectorTest, RefusesOptionsThatContradictThemselves) {
  const struct {
    int outputs;
    std::string options;
    std::string says;
  } cases[] = {
      {1, "", "0 ranges and 1 outputs"},
      {2, "ranges { begin: 0 end: 1 }", "1 ranges and 2 outputs"},
      {1, "ranges { begin: -1 end: 1 }", "empty or negative"},
      {1, "ranges { begin: 2 end: 2 }", "empty or negative"},
      {1, "ranges { begin: 0 end: 2 } element_only: true", "more than one"},
      {2,
       "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 2 } "
       "combine_outputs: true",
       "2 ranges and 2 outputs"},
      {1,
       "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 } "
       "combine_outputs: true",
       "overlap"},
  };
  for (const auto& bad : cases) {
    CalculatorHarness harness(Split(bad.outputs, bad.options));
    EXPECT_THAT(harness.Run().message(), HasSubstr(bad.says)) << bad.options;
  }
  CalculatorHarness moves(
      Split(2, "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 }",
            "TestSplitOwnedCalculator"));
  EXPECT_THAT(moves.Run().message(), HasSubstr("overlap"));
}

TEST(SplitVectorTest, MovesWhereAskedTo) {
  const std::string options = "ranges { begin: 1 end: 3 }";
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(Split(1, options, "TestSplitOwnedCalculator"),
                      OwnedAt(1, {1, 2, 3})));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(2, 3));
}

TEST(SplitVectorTest, WhatIsToBeMovedMayNotBeShared) {
  CalculatorHarness harness(
      Split(1, "ranges { begin: 0 end: 1 }", "TestSplitOwnedCalculator"));
  harness.Feed("", {OwnedAt(1, {1})});
  EXPECT_THAT(harness.Run().message(), HasSubstr("only reader"));
}

}  // namespace
}  // namespace syncline
