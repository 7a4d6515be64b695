// The small calculators of this folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

// --- ThresholdingCalculator

std::string Threshold(const std::string& extra) {
  return absl::StrCat(R"pb(
                        calculator: "ThresholdingCalculator"
                        input_stream: "FLOAT:value"
                        output_stream: "FLAG:flag"
                        output_stream: "ACCEPT:accept"
                        output_stream: "REJECT:reject"
                      )pb",
                      extra);
}
constexpr char kThresholdOption[] =
    R"pb(
  options {
    [syncline.ThresholdingCalculatorOptions.ext] { threshold: 0.5 }
  }
    )pb";

TEST(ThresholdingTest, SaysWhichValuesAreAboveTheThreshold) {
  CalculatorHarness harness(Threshold(kThresholdOption));
  harness.Feed("FLOAT", {At(1, 0.4f), At(2, 0.5f), At(3, 0.6f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"),
              StreamIs<bool>({{1, false}, {2, false}, {3, true}}));
  EXPECT_THAT(harness.Output("ACCEPT"), StreamIs<bool>({{3, true}}));
  EXPECT_THAT(harness.Output("REJECT"),
              StreamIs<bool>({{1, false}, {2, false}}));
}

TEST(ThresholdingTest, TheThresholdMayBeASidePacket) {
  CalculatorHarness harness(Threshold("input_side_packet: \"THRESHOLD:t\""));
  harness.SetSidePacket("THRESHOLD", MakePacket<float>(2.0f));
  harness.Feed("FLOAT", {At(1, 1.0f), At(2, 3.0f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"), StreamIs<bool>({{1, false}, {2, true}}));
}

TEST(ThresholdingTest, TheThresholdMayBeAStreamWhosePacketsHold) {
  CalculatorHarness harness(Threshold("input_stream: \"THRESHOLD:t\""));
  harness.Feed("FLOAT", {At(1, 1.0f), At(3, 1.0f), At(4, 1.0f), At(5, 1.0f)});
  harness.Feed("THRESHOLD", {At(2, 2.0f), At(5, 0.0f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"),
              StreamIs<bool>({{1, true}, {3, false}, {4, false}, {5, true}}));
}

TEST(ThresholdingTest, RefusesTwoThresholds) {
  CalculatorHarness harness(Threshold(
      absl::StrCat(kThresholdOption, "input_stream: \"THRESHOLD:t\"")));
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the option threshold, the input stream")));
}

// --- LogicCalculator

std::string Logic(const std::string& options, const std::string& more = "") {
  return absl::StrCat(
      R"pb(calculator: "LogicCalculator"
           input_stream: "a"
           input_stream: "b"
           output_stream: "c")pb",
      more, " options { [syncline.LogicCalculatorOptions.ext] {", options,
      "} }");
}
// Of false false, false true, true false, true true.
std::vector<bool> TruthTable(CalculatorHarness& harness) {
  harness.Feed(":0", {At(0, false), At(1, false), At(2, true), At(3, true)});
  harness.Feed(":1", {At(0, false), At(1, true), At(2, false), At(3, true)});
  SYNCLINE_EXPECT_OK(harness.Run());
  std::vector<bool> result;
  for (const Packet& packet : harness.Output("")) {
    result.push_back(packet.Get<bool>());
  }
  return result;
}
std::vector<bool> TruthTable(const std::string& options) {
  CalculatorHarness harness(Logic(options));
  return TruthTable(harness);
}

TEST(LogicTest, CombinesStreams) {
  EXPECT_THAT(TruthTable("op: AND"), ElementsAre(false, false, false, true));
  EXPECT_THAT(TruthTable("op: OR"), ElementsAre(false, true, true, true));
  EXPECT_THAT(TruthTable("op: XOR"), ElementsAre(false, true, true, false));
  EXPECT_THAT(TruthTable("op: AND negate: true"),
              ElementsAre(true, true, true, false));
}

TEST(LogicTest, ConstantsTakePart) {
  EXPECT_THAT(TruthTable("op: XOR input_value: true"),
              ElementsAre(true, false, false, true));
  EXPECT_THAT(TruthTable("op: OR input_value: [ false, true ]"),
              ElementsAre(true, true, true, true));
  CalculatorHarness harness(Logic("op: AND", "input_side_packet: \"s\""));
  harness.SetSidePacket("", MakePacket<bool>(false));
  EXPECT_THAT(TruthTable(harness), ElementsAre(false, false, false, false));
}

TEST(LogicTest, ThereIsNoAnswerWithoutAllInputs) {
  CalculatorHarness harness(Logic("op: OR"));
  harness.Feed(":0", {At(1, true), At(2, true)});
  harness.Feed(":1", {At(2, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{2, true}}));
}

// --- Collections

TEST(CollectionHasMinSizeTest, ComparesTheSize) {
  CalculatorHarness harness(R"pb(
    calculator: "NormalizedRectVectorHasMinSizeCalculator"
    input_stream: "ITERABLE:rects"
    output_stream: "enough"
    input_side_packet: "min"
    options {
      [syncline.CollectionHasMinSizeCalculatorOptions.ext] { min_size: 5 }
    }
  )pb");
  using Rects = std::vector<NormalizedRect>;
  harness.SetSidePacket("", MakePacket<int>(2));
  harness.Feed("ITERABLE", {At(1, Rects(1)), At(2, Rects(2))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{1, false}, {2, true}}));
  harness.SetSidePacket("", MakePacket<int>(-1));
  EXPECT_THAT(harness.Run().message(), HasSubstr("min_size is -1"));
}

TEST(FilterCollectionTest, KeepsTheElementsForWhichTheConditionHolds) {
  CalculatorHarness harness(R"pb(
    calculator: "FilterUInt64CollectionCalculator"
    input_stream: "ITERABLE:in"
    input_stream: "CONDITION:keep"
    output_stream: "ITERABLE:out"
  )pb");
  using Numbers = std::vector<std::uint64_t>;
  using Bools = std::vector<bool>;
  const Packet without_condition = At(2, Numbers{4});
  harness.Feed("ITERABLE", {At(1, Numbers{1, 2, 3}), without_condition});
  harness.Feed("CONDITION", {At(1, Bools{true, false, true})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITERABLE"),
              ElementsAre(PacketIs<Numbers>(1, ElementsAre(1, 3)),
                          PacketIs<Numbers>(2, ElementsAre(4))));
  harness.Feed("CONDITION", {At(2, Bools{true, false})});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("has 2 bools at 2")));
}

}  // namespace
}  // namespace syncline
