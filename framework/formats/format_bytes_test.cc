// Values of formats as bytes and back: nothing is lost, and bytes of anything
// else are an error.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/formats/matrix.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Through the bytes and back, by the registered name.
absl::StatusOr<Packet> Returned(const Packet& packet) {
  const absl::StatusOr<std::string> bytes = BytesOfPacket(packet);
  if (!bytes.ok()) return bytes.status();
  return PacketFromBytes(TypeNameOfPacket(packet), *bytes);
}

ImageFrame Noise(ImageFormat::Format format, int width, int height,
                 std::uint32_t alignment) {
  ImageFrame frame(format, width, height, alignment);
  std::mt19937 random(1);
  for (int i = 0; i < frame.PixelDataSize(); ++i) {
    frame.MutablePixelData()[i] = static_cast<std::uint8_t>(random());
  }
  return frame;
}

TEST(FormatBytesTest, AnImageComesBackPixelForPixel) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
        ImageFormat::GRAY16, ImageFormat::VEC32F1, ImageFormat::VEC32F2}) {
    for (const std::uint32_t alignment : {1, 64}) {
      const Packet packet =
          MakePacket<ImageFrame>(Noise(format, 7, 3, alignment));
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back, Returned(packet));
      const auto& frame = back.Get<ImageFrame>();
      EXPECT_EQ(frame.Format(), format);
      EXPECT_EQ(frame.Width(), 7);
      EXPECT_EQ(frame.Height(), 3);
      // What lies between rows is not part of the image.
      EXPECT_EQ(BytesOfPacket(back).value(), BytesOfPacket(packet).value());
    }
  }
}

TEST(FormatBytesTest, NoImageComesBackAsNone) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back,
                                Returned(MakePacket<ImageFrame>()));
  EXPECT_TRUE(back.Get<ImageFrame>().IsEmpty());
}

TEST(FormatBytesTest, BytesThatAreNoImageAreAnError) {
  std::string good;
  AppendImageFrameBytes(Noise(ImageFormat::SRGB, 4, 4, 16), &good);
  ImageFrame frame;
  SYNCLINE_EXPECT_OK(ImageFrameFromBytes(good, &frame));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(ImageFrameFromBytes(good.substr(0, size), &frame).code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
  EXPECT_FALSE(ImageFrameFromBytes(good + "x", &frame).ok());
  // Headers of all kinds: never a crash, never more memory than there is.
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) {
      bytes[random() % 12] = static_cast<char>(random());
    }
    if (round % 2 == 0) bytes.resize(12);
    ImageFrameFromBytes(bytes, &frame).IgnoreError();
  }
}

TEST(FormatBytesTest, AMatrixComesBack) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<int, int>>{{2, 3}, {0, 0}, {0, 5}, {1, 1}}) {
    const Matrix matrix = Matrix::Random(rows, cols);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back,
                                  Returned(MakePacket<Matrix>(matrix)));
    EXPECT_EQ(back.Get<Matrix>().rows(), rows);
    EXPECT_EQ(back.Get<Matrix>(), matrix);
  }
  const std::string good =
      BytesOfPacket(MakePacket<Matrix>(Matrix::Random(2, 2))).value();
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(
        PacketFromBytes("::syncline::Matrix", good.substr(0, size)).ok());
  }
}

TEST(FormatBytesTest, VectorsOfRegisteredMessagesComeBack) {
  std::vector<Detection> detections(3);
  detections[1].add_label("cat");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet back,
      Returned(MakePacket<std::vector<Detection>>(detections)));
  const auto& returned = back.Get<std::vector<Detection>>();
  ASSERT_EQ(returned.size(), 3u);
  EXPECT_EQ(returned[1].label(0), "cat");
  EXPECT_FALSE(
      PacketFromBytes("::std::vector<::syncline::Detection>", "\x05x").ok());
}

}  // namespace
}  // namespace syncline
