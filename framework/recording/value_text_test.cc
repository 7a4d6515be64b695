#include "framework/recording/value_text.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Opaque {};

TEST(ValueTextTest, ShowsPlainValuesInFull) {
  EXPECT_EQ(ValueText(Packet()), "nothing");
  EXPECT_EQ(ValueText(MakePacket<bool>(true)), "true");
  EXPECT_EQ(ValueText(MakePacket<int>(-3)), "-3");
  EXPECT_EQ(ValueText(MakePacket<std::int64_t>(1)), "1");
  EXPECT_EQ(ValueText(MakePacket<float>(0.5f)), "0.5");
  EXPECT_EQ(ValueText(MakePacket<std::string>("a\n\"b\"")), R"("a\n\"b\"")");
  EXPECT_EQ(ValueText(MakePacket<std::vector<int>>(std::vector<int>{1, 2})),
            "[1, 2]");
}

TEST(ValueTextTest, ShowsSizesAndTimes) {
  EXPECT_EQ(ValueText(MakePacket<std::pair<int, int>>(640, 480)), "(640, 480)");
  EXPECT_EQ(ValueText(MakePacket<std::array<float, 4>>(
                std::array<float, 4>{0.5f, 0, 1, 2})),
            "[0.5, 0, 1, 2]");
  EXPECT_EQ(ValueText(MakePacket<Timestamp>(7)), "7");
  EXPECT_EQ(ValueText(MakePacket<absl::Duration>(absl::Milliseconds(1'500))),
            "1.5s");
  EXPECT_EQ(ValueText(MakePacket<absl::Time>(absl::UnixEpoch())),
            "1970-01-01T00:00:00+00:00");
}

TEST(ValueTextTest, ShortensWhatIsLong) {
  EXPECT_EQ(ValueText(MakePacket<std::vector<int>>(std::vector<int>(100, 7))),
            "[7, 7, 7, 7, 7, 7, 7, 7, ... (100 values)]");
  EXPECT_THAT(ValueText(MakePacket<std::string>(5'000, 'x')),
              HasSubstr("(5000 characters)"));
}

TEST(ValueTextTest, ShowsMessagesAsText) {
  InputStreamInfo info;
  info.set_tag_index("A");
  EXPECT_EQ(ValueText(MakePacket<InputStreamInfo>(info)),
            R"({ tag_index: "A" })");
  EXPECT_EQ(ValueText(MakePacket<std::vector<InputStreamInfo>>(2, info)),
            R"([{ tag_index: "A" }, { tag_index: "A" }])");
}

TEST(ValueTextTest, ImagesAndMatricesThatDifferHaveDifferentTexts) {
  const auto image = [](std::uint8_t value) {
    ImageFrame frame(ImageFormat::GRAY8, 5, 3);
    frame.SetToZero();
    frame.MutablePixelData()[2] = value;
    return ValueText(MakePacket<ImageFrame>(std::move(frame)));
  };
  EXPECT_THAT(image(1), StartsWith("an image of 5 x 3, GRAY8, checksum "));
  EXPECT_EQ(image(1), image(1));
  EXPECT_NE(image(1), image(2));
  const auto frame = std::make_shared<ImageFrame>(ImageFormat::GRAY8, 5, 3);
  frame->SetToZero();
  EXPECT_THAT(ValueText(MakePacket<Image>(frame)),
              StartsWith("an image of 5 x 3, GRAY8, checksum "));
  EXPECT_EQ(ValueText(MakePacket<Image>()), "no image");
  EXPECT_NE(ValueText(MakePacket<Matrix>(Matrix::Constant(2, 3, 1.0f))),
            ValueText(MakePacket<Matrix>(Matrix::Constant(2, 3, 2.0f))));
}

TEST(ValueTextTest, ShowsRecordedValuesAndBytesThatAreNone) {
  EXPECT_EQ(ValueText("string", "ab"), "\"ab\"");
  EXPECT_EQ(ValueText("int", "ab"), BytesText("ab"));
  EXPECT_EQ(ValueText("NoSuchType", "ab"), BytesText("ab"));
}

TEST(ValueTextTest, NamesWhatItCannotShow) {
  EXPECT_THAT(ValueText(MakePacket<Opaque>()), HasSubstr("Opaque"));
}

}  // namespace
}  // namespace syncline
