// The properties of JPEG files, complete and damaged.

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_file_properties.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Writes numbers in either byte order.
class Writer {
 public:
  explicit Writer(bool big_endian) : big_endian_(big_endian) {}
  std::string operator()(std::uint32_t number, int bytes) const {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
      const int shift = 8 * (big_endian_ ? bytes - 1 - i : i);
      text.push_back(static_cast<char>((number >> shift) & 0xFF));
    }
    return text;
  }

 private:
  bool big_endian_;
};

std::string Segment(std::uint32_t marker, const std::string& content) {
  const Writer big(true);
  return absl::StrCat(big(marker, 2),
                      big(static_cast<std::uint32_t>(content.size()) + 2, 2),
                      content);
}

// 640 x 480, three channels.
std::string FrameHeader() {
  const Writer big(true);
  return Segment(0xFFC0, absl::StrCat(big(8, 1), big(480, 2), big(640, 2),
                                      big(3, 1), std::string(9, 0)));
}

// A lens of 4.5 mm, which equals 28 mm on film; the picture was 4000 x 3000.
std::string Exif(bool big_endian) {
  const Writer write(big_endian);
  const auto entry = [&](std::uint32_t tag, std::uint32_t type,
                         const std::string& value) {
    return absl::StrCat(write(tag, 2), write(type, 2), write(1, 4), value);
  };
  constexpr std::uint32_t kExifAt = 8 + 2 + 12 + 4;
  constexpr std::uint32_t kRationalAt = kExifAt + 2 + 4 * 12 + 4;
  std::string tiff = absl::StrCat(
      big_endian ? "MM" : "II", write(42, 2), write(8, 4), write(1, 2),
      entry(0x8769, 4, write(kExifAt, 4)), write(0, 4), write(4, 2),
      entry(0x920A, 5, write(kRationalAt, 4)), entry(0xA002, 4, write(4000, 4)),
      entry(0xA003, 4, write(3000, 4)),
      entry(0xA405, 3, absl::StrCat(write(28, 2), write(0, 2))), write(0, 4),
      write(45, 4), write(10, 4));
  return Segment(0xFFE1, absl::StrCat("Exif", std::string(2, 0), tiff));
}

std::string Jpeg(const std::string& segments) {
  return absl::StrCat("\xFF\xD8", Segment(0xFFE0, "JFIF"), segments,
                      "\xFF\xDA");
}

absl::Status ReadFile(const std::string& file,
                      ImageFileProperties* properties) {
  CalculatorHarness harness(
      "calculator: 'ImageFilePropertiesCalculator' input_side_packet: 'a' "
      "output_side_packet: 'b'");
  harness.SetSidePacket("", MakePacket<std::string>(file));
  const absl::Status status = harness.Run();
  if (status.ok()) {
    *properties = harness.OutputSidePacket("").Get<ImageFileProperties>();
  }
  return status;
}

TEST(ImageFilePropertiesTest, ReadsTheCameraInBothOrdersOfBytes) {
  for (const bool big_endian : {true, false}) {
    ImageFileProperties read;
    SYNCLINE_ASSERT_OK(ReadFile(Jpeg(Exif(big_endian) + FrameHeader()), &read));
    EXPECT_EQ(read.image_width(), 640);
    EXPECT_EQ(read.image_height(), 480);
    EXPECT_DOUBLE_EQ(read.focal_length_mm(), 4.5);
    EXPECT_DOUBLE_EQ(read.focal_length_35mm(), 28);
    // The diagonal is 800 pixels; that of film is 43.27 mm.
    EXPECT_NEAR(read.focal_length_pixels(), 28 * 800 / 43.2666, 0.01);
  }
}

TEST(ImageFilePropertiesTest, WithoutAFrameHeaderTheSizeIsThatOfExif) {
  ImageFileProperties read;
  SYNCLINE_ASSERT_OK(ReadFile(Jpeg(Exif(true)), &read));
  EXPECT_EQ(read.image_width(), 4000);
  EXPECT_EQ(read.image_height(), 3000);
}

TEST(ImageFilePropertiesTest, WithoutExifThereIsTheSizeOnly) {
  ImageFileProperties read;
  SYNCLINE_ASSERT_OK(ReadFile(Jpeg(FrameHeader()), &read));
  EXPECT_EQ(read.image_width(), 640);
  EXPECT_FALSE(read.has_focal_length_mm());
  EXPECT_FALSE(read.has_focal_length_pixels());
}

TEST(ImageFilePropertiesTest, RefusesWhatIsNoJpeg) {
  ImageFileProperties read;
  for (const std::string& file : {std::string(), std::string("\x89PNG\r\n")}) {
    const absl::Status status = ReadFile(file, &read);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("no JPEG"));
  }
}

TEST(ImageFilePropertiesTest, TakesDamagedFilesAsFarAsTheyGo) {
  for (const bool big_endian : {true, false}) {
    const std::string file = Jpeg(Exif(big_endian) + FrameHeader());
    for (std::size_t size = 3; size < file.size(); ++size) {
      ImageFileProperties read;
      SYNCLINE_EXPECT_OK(ReadFile(file.substr(0, size), &read));
    }
    for (std::size_t at = 3; at < file.size(); ++at) {
      for (const char byte : {'\x00', '\x7F', '\xFF'}) {
        std::string changed = file;
        changed[at] = byte;
        ImageFileProperties read;
        SYNCLINE_EXPECT_OK(ReadFile(changed, &read));
        EXPECT_TRUE(std::isfinite(read.focal_length_pixels()));
      }
    }
  }
}

}  // namespace
}  // namespace syncline
