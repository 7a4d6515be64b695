// PassThroughCalculator forwards packets, headers and side packets, and refuses
// ports that do not mirror each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(PassThroughCalculatorTest, ForwardsEachPacketAtItsTimestamp) {
  CalculatorHarness harness(R"pb(
    calculator: "PassThroughCalculator"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "A:c"
    output_stream: "B:d"
  )pb");
  const Packet one = MakePacket<int>(1).At(Timestamp(10));
  harness.Feed("A", {one, MakePacket<int>(2).At(Timestamp(20))});
  harness.Feed("B", {MakePacket<std::string>("x").At(Timestamp(20))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("A").size(), 2);
  EXPECT_EQ(&harness.Output("A")[0].Get<int>(), &one.Get<int>())
      << "the value is shared, not copied";
  EXPECT_EQ(harness.Output("A")[1].Timestamp(), Timestamp(20));
  ASSERT_EQ(harness.Output("B").size(), 1);
  EXPECT_EQ(harness.Output("B")[0].Get<std::string>(), "x");
}

TEST(PassThroughCalculatorTest, RefusesOutputsThatDoNotMirrorTheInputs) {
  CalculatorHarness harness(R"pb(
    calculator: "PassThroughCalculator"
    input_stream: "A:a"
    output_stream: "B:c"
  )pb");
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("same tags and indexes")));
}

TEST(PassThroughCalculatorTest, MirrorsSidePackets) {
  CalculatorHarness harness(R"pb(
    calculator: "PassThroughCalculator"
    input_side_packet: "X:x"
    output_side_packet: "X:y"
  )pb");
  harness.SetSidePacket("X", MakePacket<int>(7));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputSidePacket("X").Get<int>(), 7);
}

TEST(PassThroughCalculatorTest, ForwardsHeaders) {
  CalculatorHarness harness(R"pb(
    calculator: "PassThroughCalculator"
    input_stream: "in"
    output_stream: "out"
  )pb");
  harness.SetHeader("", MakePacket<std::string>("header"));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputHeader("").Get<std::string>(), "header");
}

}  // namespace
}  // namespace syncline
