// MovingAverageCalculator, without a graph and without a thread.
#include "testing/testing.h"

namespace syncline {
namespace {

std::string Node(int count) {
  return absl::StrCat(R"pb(
                        calculator: "MovingAverageCalculator"
                        input_stream: "value"
                        output_stream: "average"
                      )pb",
                      "options { [syncline.MovingAverageCalculatorOptions.ext] "
                      "{ count: ",
                      count, " } }");
}

TEST(MovingAverageTest, AveragesTheLastValues) {
  CalculatorHarness harness(Node(2));
  harness.Feed("", {MakePacket<double>(1.0).At(Timestamp(0)),
                    MakePacket<double>(3.0).At(Timestamp(10)),
                    MakePacket<double>(7.0).At(Timestamp(20))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              StreamIs<double>({{0, 1.0}, {10, 2.0}, {20, 5.0}}));
}

TEST(MovingAverageTest, PassesBoundsOn) {
  CalculatorHarness harness(Node(2));
  harness.Feed("", {Packet().At(Timestamp(50))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.OutputBounds(""), testing::Contains(Timestamp(51)));
}

TEST(MovingAverageTest, RefusesACountOfNone) {
  CalculatorHarness harness(Node(0));
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      testing::HasSubstr("count is 0")));
}

}  // namespace
}  // namespace syncline
