// Calculators of this folder on literal images.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Size = std::pair<int, int>;

Packet FrameAt(int width, int height, int timestamp) {
  return MakePacket<ImageFrame>(ImageFormat::SRGB, width, height)
      .At(Timestamp(timestamp));
}

TEST(ImagePropertiesCalculatorTest, SendsTheSizeOfFramesAndImages) {
  for (const std::string tag : {"IMAGE", "IMAGE_CPU"}) {
    CalculatorHarness harness(
        "calculator: 'ImagePropertiesCalculator' "
        "input_stream: '" +
        tag + ":in' output_stream: 'SIZE:size'");
    harness.Feed(
        tag, {FrameAt(4, 3, 1), MakePacket<Image>(std::make_shared<ImageFrame>(
                                                      ImageFormat::GRAY8, 5, 6))
                                    .At(Timestamp(2))});
    SYNCLINE_ASSERT_OK(harness.Run());
    ASSERT_EQ(harness.Output("SIZE").size(), 2);
    EXPECT_EQ(harness.Output("SIZE")[0].Get<Size>(), Size(4, 3));
    EXPECT_EQ(harness.Output("SIZE")[1].Get<Size>(), Size(5, 6));
    EXPECT_EQ(harness.Output("SIZE")[1].Timestamp(), Timestamp(2));
  }
}

TEST(ImagePropertiesCalculatorTest, AsksForOneImage) {
  for (const char* const inputs :
       {"", "input_stream: 'IMAGE:a' input_stream: 'IMAGE_CPU:b'"}) {
    CalculatorHarness harness(
        std::string("calculator: 'ImagePropertiesCalculator' "
                    "output_stream: 'SIZE:size' ") +
        inputs);
    EXPECT_THAT(std::string(harness.Run().message()),
                HasSubstr("either IMAGE or IMAGE_CPU"));
  }
}

}  // namespace
}  // namespace syncline
