// Images: converted to frames and back, and made of one colour.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/parse_text_proto.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"
#include "util/color.pb.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Packet FrameAt(int time, int width, int height) {
  return MakePacket<ImageFrame>(ImageFormat::SRGB, width, height)
      .At(Timestamp(time));
}
Packet ImageAt(int time, int width, int height) {
  return MakePacket<Image>(
             std::make_shared<ImageFrame>(ImageFormat::SRGB, width, height))
      .At(Timestamp(time));
}
std::string ErrorOf(const std::string& node) {
  return std::string(CalculatorHarness(node).Run().message());
}

// --- ToImageCalculator

std::string ToImage(const std::string& tag) {
  return absl::StrCat("calculator: 'ToImageCalculator' input_stream: '", tag,
                      ":in' output_stream: 'IMAGE:out'");
}

TEST(ToImageTest, SharesThePixelsOfFrames) {
  for (const char* const tag : {"IMAGE", "IMAGE_CPU"}) {
    Packet frame = FrameAt(1, 4, 3);
    const void* const pixels = frame.Get<ImageFrame>().PixelData();
    Image image;
    {
      CalculatorHarness harness(ToImage(tag));
      harness.Feed(tag, {std::move(frame)});
      SYNCLINE_ASSERT_OK(harness.Run());
      image = harness.Output("IMAGE").at(0).Get<Image>();
    }
    // The pixels live as long as the image.
    EXPECT_EQ(PixelReadLock(image).Pixels(), pixels);
    EXPECT_EQ(image.width(), 4);
  }
}

TEST(ToImageTest, SendsImagesOn) {
  const Packet image = ImageAt(1, 4, 3);
  CalculatorHarness harness(ToImage("IMAGE"));
  harness.Feed("IMAGE", {image});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("IMAGE").at(0).Get<Image>(), image.Get<Image>());
}

TEST(ToImageTest, AsksForOneInput) {
  EXPECT_THAT(
      ErrorOf(absl::StrCat(ToImage("IMAGE"), " input_stream: 'IMAGE_CPU:b'")),
      HasSubstr("either IMAGE or IMAGE_CPU"));
}

// --- FromImageCalculator

constexpr char kFromImage[] =
    "calculator: 'FromImageCalculator' input_stream: 'IMAGE:in' "
    "output_stream: 'IMAGE_CPU:out' output_stream: 'SOURCE_ON_GPU:gpu'";

TEST(FromImageTest, GivesTheFrameOfTheImageWithoutACopy) {
  Packet frame;
  const void* pixels = nullptr;
  {
    const Packet image = ImageAt(1, 4, 3);
    pixels = PixelReadLock(image.Get<Image>()).Pixels();
    CalculatorHarness harness(kFromImage);
    harness.Feed("IMAGE", {image});
    SYNCLINE_ASSERT_OK(harness.Run());
    frame = harness.Output("IMAGE_CPU").at(0);
    EXPECT_THAT(harness.Output("SOURCE_ON_GPU"), StreamIs<bool>({{1, false}}));
  }
  // The pixels live as long as the frame, ...
  EXPECT_EQ(frame.Get<ImageFrame>().PixelData(), pixels);
  EXPECT_EQ(frame.Get<ImageFrame>().Height(), 3);
  // ... and may have other readers, as handles of the image.
  EXPECT_FALSE(frame.Consume<ImageFrame>().ok());
}

TEST(FromImageTest, AnImageWithoutPixelsIsAnError) {
  CalculatorHarness harness(kFromImage);
  harness.Feed("IMAGE", {MakePacket<Image>().At(Timestamp(7))});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("the Image at 7 has no pixels"));
}

// --- FlatColorImageCalculator

std::string Flat(const std::string& inputs, const std::string& options) {
  return absl::StrCat("calculator: 'FlatColorImageCalculator' ", inputs,
                      "output_stream: 'IMAGE:out' options { "
                      "[syncline.FlatColorImageCalculatorOptions.ext] {",
                      options, "} }");
}
constexpr char kImageIn[] = "input_stream: 'IMAGE:image' ";
constexpr char kColorIn[] = "input_stream: 'COLOR:color' ";

std::vector<int> PixelOf(const Packet& packet, int x, int y) {
  const auto& image = packet.Get<Image>();
  const PixelReadLock lock(image);
  const std::uint8_t* const pixel = lock.Pixels() + y * image.step() + 3 * x;
  return {pixel[0], pixel[1], pixel[2]};
}
Packet ColorAt(int time, const std::string& text) {
  return MakePacket<Color>(ParseTextProtoOrDie<Color>(text))
      .At(Timestamp(time));
}

TEST(FlatColorImageTest, IsAsLargeAsTheImage) {
  CalculatorHarness harness(Flat(kImageIn, "color { r: 1 g: 2 b: 300 }"));
  harness.Feed("IMAGE", {ImageAt(1, 5, 3), ImageAt(2, 0, 0)});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("IMAGE"), SizeIs(2));
  const Packet& out = harness.Output("IMAGE")[0];
  EXPECT_EQ(out.Get<Image>().width(), 5);
  EXPECT_EQ(out.Get<Image>().image_format(), ImageFormat::SRGB);
  EXPECT_THAT(PixelOf(out, 0, 0), ElementsAre(1, 2, 255));
  EXPECT_THAT(PixelOf(out, 4, 2), ElementsAre(1, 2, 255));
  EXPECT_EQ(harness.Output("IMAGE")[1].Get<Image>().width(), 0);
}

TEST(FlatColorImageTest, HasTheColorThatComes) {
  CalculatorHarness harness(Flat(kColorIn, "output_width: 2 output_height: 1"));
  harness.Feed("COLOR", {ColorAt(1, "r: 10"), ColorAt(2, "g: 20")});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("IMAGE"), SizeIs(2));
  EXPECT_THAT(PixelOf(harness.Output("IMAGE")[0], 1, 0), ElementsAre(10, 0, 0));
  EXPECT_THAT(PixelOf(harness.Output("IMAGE")[1], 1, 0), ElementsAre(0, 20, 0));
}

TEST(FlatColorImageTest, NothingIsSentWhereSizeOrColorIsMissing) {
  CalculatorHarness harness(Flat(absl::StrCat(kImageIn, kColorIn), ""));
  harness.Feed("COLOR", {ColorAt(1, "r: 10")});
  harness.Feed("IMAGE", {ImageAt(2, 1, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("IMAGE"), IsEmpty());
}

TEST(FlatColorImageTest, MayBeASidePacket) {
  CalculatorHarness harness(
      "calculator: 'FlatColorImageCalculator' output_side_packet: 'IMAGE:out' "
      "options { [syncline.FlatColorImageCalculatorOptions.ext] { "
      "output_width: 3 output_height: 2 color { r: 1 g: 2 b: 3 } } }");
  SYNCLINE_ASSERT_OK(harness.Run());
  const Packet& image = harness.OutputSidePacket("IMAGE");
  EXPECT_EQ(image.Get<Image>().width(), 3);
  EXPECT_EQ(image.Get<Image>().height(), 2);
  EXPECT_THAT(PixelOf(image, 2, 1), ElementsAre(1, 2, 3));
}

TEST(FlatColorImageTest, OptionsAndPortsAreChecked) {
  EXPECT_THAT(ErrorOf(Flat(kImageIn, "color {} output_width: 1")),
              HasSubstr("how large"));
  EXPECT_THAT(ErrorOf(Flat(kColorIn, "output_width: 1")),
              HasSubstr("are 1 and 0"));
  EXPECT_THAT(ErrorOf(Flat(kImageIn, "")), HasSubstr("which colour"));
  EXPECT_THAT(ErrorOf(Flat("", "color {} output_width: 1 output_height: 1")),
              HasSubstr("when?"));
  const char* const side_packet =
      "calculator: 'FlatColorImageCalculator' output_side_packet: 'IMAGE:s' ";
  EXPECT_THAT(ErrorOf(absl::StrCat(side_packet, kImageIn,
                                   "options { "
                                   "[syncline.FlatColorImageCalculatorOptions."
                                   "ext] { color {} } }")),
              HasSubstr("disconnect the inputs"));
  EXPECT_THAT(ErrorOf(absl::StrCat(Flat(kImageIn, "color {}"),
                                   "output_side_packet: 'IMAGE:s'")),
              HasSubstr("one of the two"));
}

TEST(FlatColorImageTest, AnImageThatIsTooLargeIsAnError) {
  CalculatorHarness harness(
      Flat(kColorIn, "output_width: 2000000000 output_height: 2000000000"));
  harness.Feed("COLOR", {ColorAt(1, "r: 10")});
  EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("2 GiB"));
}

}  // namespace
}  // namespace syncline
