// The small calculators of this folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

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

}  // namespace
}  // namespace syncline
