// What a page shows of packets of each kind, however large they are.
#include "pages/live/packet_view.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/config/calculator.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = PacketView::Kind;

// A frame of one color.
ImageFrame FrameOfColor(ImageFormat::Format format, int width, int height,
                        const std::string& pixel) {
  ImageFrame frame(format, width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::copy(
          pixel.begin(), pixel.end(),
          frame.MutablePixelData() + y * frame.WidthStep() + x * pixel.size());
    }
  }
  return frame;
}

TEST(PacketViewTest, APictureKeepsItsShapeAndColors) {
  const PacketView view = MakePacketView(
      MakePacket<ImageFrame>(
          FrameOfColor(ImageFormat::SRGB, 1920, 1080, "\xff\x80\x01"))
          .At(Timestamp(7)));
  EXPECT_EQ(view.kind, Kind::kPicture);
  EXPECT_EQ(view.timestamp, "7");
  EXPECT_EQ(view.shown_width, 360);
  EXPECT_EQ(view.shown_height, 202);
  ASSERT_EQ(view.rgba.size(), 360 * 202 * 4);
  EXPECT_EQ(view.rgba.substr(0, 4), "\xff\x80\x01\xff");
  EXPECT_EQ(view.rgba.substr(view.rgba.size() - 4), "\xff\x80\x01\xff");
  EXPECT_EQ(view.text, "SRGB, 1920 x 1080 pixels");
}

TEST(PacketViewTest, EachFormatOfPictureGivesItsColors) {
  const auto first = [](ImageFormat::Format format, const std::string& pixel) {
    return MakePacketView(
               MakePacket<ImageFrame>(FrameOfColor(format, 2, 3, pixel)))
        .rgba.substr(0, 4);
  };
  const auto floats = [](std::vector<float> values) {
    return std::string(reinterpret_cast<const char*>(values.data()),
                       values.size() * sizeof(float));
  };
  EXPECT_EQ(first(ImageFormat::SRGBA, "\1\2\3\4"), "\1\2\3\4");
  EXPECT_EQ(first(ImageFormat::SBGRA, "\1\2\3\4"), "\3\2\1\4");
  EXPECT_EQ(first(ImageFormat::GRAY8, "\7"), "\7\7\7\xff");
  EXPECT_EQ(first(ImageFormat::GRAY16, std::string("\0\x50", 2)),
            "\x50\x50\x50\xff");
  EXPECT_EQ(first(ImageFormat::SRGB48, std::string("\0\1\0\2\0\3", 6)),
            "\1\2\3\xff");
  EXPECT_EQ(first(ImageFormat::SRGBA64, std::string("\0\1\0\2\0\3\0\4", 8)),
            "\1\2\3\4");
  EXPECT_EQ(first(ImageFormat::VEC32F1, floats({0.2f})), "\x33\x33\x33\xff");
  EXPECT_EQ(first(ImageFormat::VEC32F1,
                  floats({std::numeric_limits<float>::quiet_NaN()})),
            std::string("\0\0\0\xff", 4));
  EXPECT_EQ(first(ImageFormat::VEC32F2, floats({2.0f, 0.2f})),
            std::string("\xff\x33\0\xff", 4));
  EXPECT_EQ(first(ImageFormat::VEC32F4, floats({1, 0.2f, -1, 1})),
            std::string("\xff\x33\0\xff", 4));
}

TEST(PacketViewTest, AnImageOfTheHostIsAPicture) {
  const Image image(std::make_shared<ImageFrame>(
      FrameOfColor(ImageFormat::GRAY8, 3, 2, "\x10")));
  EXPECT_EQ(MakePacketView(MakePacket<Image>(image)).rgba.size(), 3 * 2 * 4);
  EXPECT_EQ(MakePacketView(MakePacket<Image>()).kind, Kind::kText);
}

TEST(PacketViewTest, APictureWithoutPixelsIsAText) {
  EXPECT_EQ(MakePacketView(MakePacket<ImageFrame>()).kind, Kind::kText);
}

TEST(PacketViewTest, AVeryLongPictureKeepsOnePixelOfItsWidth) {
  const PacketView view = MakePacketView(MakePacket<ImageFrame>(
      FrameOfColor(ImageFormat::GRAY8, 1, 5000, "\x10")));
  EXPECT_EQ(view.shown_width, 1);
  EXPECT_EQ(view.shown_height, 360);
}

TEST(PacketViewTest, AMatrixGivesItsValuesRowByRow) {
  Matrix matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 6;
  const PacketView view = MakePacketView(MakePacket<Matrix>(matrix));
  EXPECT_EQ(view.kind, Kind::kMatrix);
  EXPECT_EQ(view.shown_width, 3);
  EXPECT_EQ(view.shown_height, 2);
  EXPECT_THAT(view.values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(view.text, "2 rows, 3 columns");
}

TEST(PacketViewTest, ALargeMatrixIsScaledDownToItsPeaks) {
  Matrix matrix = Matrix::Zero(1000, 700);
  matrix(999, 699) = -5;
  matrix(0, 0) = std::numeric_limits<float>::quiet_NaN();
  const PacketView view = MakePacketView(MakePacket<Matrix>(matrix));
  EXPECT_EQ(view.shown_width, PacketView::kMostCells);
  EXPECT_EQ(view.shown_height, PacketView::kMostCells);
  EXPECT_EQ(view.values.back(), -5);
  EXPECT_EQ(view.values.front(), 0);
}

TEST(PacketViewTest, OfSeveralMatricesTheFirstIsShown) {
  std::vector<Matrix> channels = {Matrix::Ones(1, 2), Matrix::Zero(4, 4)};
  EXPECT_THAT(MakePacketView(MakePacket<std::vector<Matrix>>(channels)).values,
              ElementsAre(1, 1));
  EXPECT_EQ(MakePacketView(MakePacket<std::vector<Matrix>>()).kind,
            Kind::kText);
  EXPECT_EQ(MakePacketView(MakePacket<Matrix>()).kind, Kind::kText);
}

TEST(PacketViewTest, TextsStayAsTheyAreUpToALimit) {
  EXPECT_EQ(MakePacketView(MakePacket<std::string>("a <b>\n\"c\"")).text,
            "a <b>\n\"c\"");
  const PacketView view =
      MakePacketView(MakePacket<std::string>(std::string(1'000'000, 'x')));
  EXPECT_LT(view.text.size(), PacketView::kLongestText + 100);
  EXPECT_THAT(view.text, HasSubstr("(1000000 bytes)"));
}

TEST(PacketViewTest, NumbersAndWhatHasNoTextSaySomething) {
  EXPECT_EQ(MakePacketView(MakePacket<int>(42)).text, "42");
  struct Unknown {};
  EXPECT_NE(MakePacketView(MakePacket<Unknown>()).type, "");
}

TEST(PacketViewTest, MessagesAreInTextFormUpToALimit) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("A");
  EXPECT_EQ(MakePacketView(MakePacket<CalculatorGraphConfig>(config)).text,
            "node {\n  calculator: \"A\"\n}\n");
  for (int i = 0; i < 100'000; ++i) config.add_node()->set_calculator("B");
  const PacketView view =
      MakePacketView(MakePacket<CalculatorGraphConfig>(config));
  EXPECT_LE(view.text.size(), PacketView::kLongestText + 100);
  EXPECT_GT(view.text.size(), PacketView::kLongestText / 2);
  EXPECT_THAT(view.text, testing::EndsWith("..."));
}

TEST(PacketViewTest, ListsOfMessagesSayHowMany) {
  std::vector<CalculatorGraphConfig> list(2);
  list[1].add_input_stream("in");
  EXPECT_THAT(
      MakePacketView(MakePacket<std::vector<CalculatorGraphConfig>>(list)).text,
      testing::AllOf(HasSubstr("2 messages"),
                     HasSubstr("input_stream: \"in\"")));
}

// A calculator that wants the value waits meanwhile.
TEST(PacketViewTest, OfAVeryLargeMatrixSomeCellsAreLookedAt) {
  Matrix matrix = Matrix::Zero(8192, 8192);
  matrix(0, 0) = -3;
  const Packet packet = MakePacket<Matrix>(std::move(matrix));
  const absl::Time start = absl::Now();
  const PacketView view = MakePacketView(packet);
  EXPECT_LT(absl::Now() - start, absl::Seconds(1));
  ASSERT_EQ(view.values.size(), 256 * 256);
  EXPECT_EQ(view.values[0], -3);
  EXPECT_EQ(view.values[1], 0);
}

}  // namespace
}  // namespace syncline
