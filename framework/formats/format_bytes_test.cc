// Values of formats as bytes and back: nothing is lost, and bytes of anything
// else are an error.

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/affine_transform.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/formats/matrix.h"
#include "framework/formats/point2.h"
#include "framework/formats/tensor.h"
#include "framework/formats/video_stream_header.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// The packet after its value was written as bytes and read again by the
// registered name of its type.
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
      // The bytes between rows are not part of the image.
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
  // Headers with any numbers: reading neither crashes nor asks for more memory
  // than the bytes can fill.
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

// Damages the bytes of a value: cuts them off at every place, adds one byte,
// and changes some of the first `head` bytes. Reading damaged bytes gives an
// error or another value, never a crash.
void ExpectDamageIsAnError(const Packet& packet, std::size_t head) {
  const std::string type = TypeNameOfPacket(packet);
  const std::string good = BytesOfPacket(packet).value();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const absl::Status cut =
        PacketFromBytes(type, good.substr(0, size)).status();
    // No bytes at all are valid for an Image: an image without pixels.
    if (type == "::syncline::Image" && size == 0) continue;
    EXPECT_EQ(cut.code(), absl::StatusCode::kInvalidArgument)
        << type << " " << size;
  }
  EXPECT_FALSE(PacketFromBytes(type, good + "x").ok()) << type;
  std::mt19937 random(3);
  for (int round = 0; round < 5'000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) {
      bytes[random() % head] = static_cast<char>(random());
    }
    if (round % 2 == 0) bytes.resize(head);
    const absl::StatusOr<Packet> read = PacketFromBytes(type, bytes);
    if (!read.ok()) continue;
    EXPECT_EQ(BytesOfPacket(*read).value(), bytes) << type;
  }
}

TEST(FormatBytesTest, AnImageThatIsAHandleComesBackPixelForPixel) {
  const auto frame =
      std::make_shared<ImageFrame>(Noise(ImageFormat::SRGB, 5, 3, 16));
  const Packet packet = MakePacket<Image>(frame);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back, Returned(packet));
  const ImageFrame& read = *back.Get<Image>().GetImageFrameSharedPtr();
  EXPECT_EQ(read.Width(), 5);
  EXPECT_EQ(read.Height(), 3);
  for (int y = 0; y < 3; ++y) {
    EXPECT_EQ(std::memcmp(read.PixelData() + y * read.WidthStep(),
                          frame->PixelData() + y * frame->WidthStep(), 15),
              0);
  }
  // The bytes of the rows follow one another without padding.
  EXPECT_EQ(BytesOfPacket(packet)->size(), 12u + 5 * 3 * 3);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet none,
                                Returned(MakePacket<Image>()));
  EXPECT_EQ(none.Get<Image>(), nullptr);
  ExpectDamageIsAnError(packet, 12);
}

TEST(FormatBytesTest, VectorsOfImagesComeBack) {
  std::vector<Image> images(3);
  images[1] =
      Image(std::make_shared<ImageFrame>(Noise(ImageFormat::GRAY8, 9, 2, 16)));
  const Packet packet = MakePacket<std::vector<Image>>(images);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back, Returned(packet));
  const auto& read = back.Get<std::vector<Image>>();
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0], nullptr);
  EXPECT_EQ(read[1].width(), 9);
  EXPECT_EQ(BytesOfPacket(back).value(), BytesOfPacket(packet).value());

  std::vector<ImageFrame> frames;
  frames.push_back(Noise(ImageFormat::SRGBA, 2, 2, 16));
  frames.emplace_back();
  const Packet of_frames =
      MakePacket<std::vector<ImageFrame>>(std::move(frames));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet frames_back, Returned(of_frames));
  EXPECT_EQ(frames_back.Get<std::vector<ImageFrame>>().size(), 2u);
  EXPECT_EQ(BytesOfPacket(frames_back).value(),
            BytesOfPacket(of_frames).value());
  for (const char* type : {"::std::vector<::syncline::Image>",
                           "::std::vector<::syncline::ImageFrame>"}) {
    EXPECT_FALSE(PacketFromBytes(type, "\x0cx").ok()) << type;
    EXPECT_FALSE(PacketFromBytes(type, "\xff\xff\xff\xff\x7f").ok()) << type;
  }
}

TEST(FormatBytesTest, VectorsOfMatricesAndComplexMatricesComeBack) {
  const std::vector<Matrix> matrices = {Matrix::Random(2, 3), Matrix(0, 4)};
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet back, Returned(MakePacket<std::vector<Matrix>>(matrices)));
  EXPECT_EQ(back.Get<std::vector<Matrix>>(), matrices);
  const std::vector<std::vector<Matrix>> nested = {matrices, {}, matrices};
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet nested_back,
      Returned(MakePacket<std::vector<std::vector<Matrix>>>(nested)));
  EXPECT_EQ(nested_back.Get<std::vector<std::vector<Matrix>>>(), nested);
  const Eigen::MatrixXcf complex = Eigen::MatrixXcf::Random(3, 2);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet complex_back,
      Returned(MakePacket<Eigen::MatrixXcf>(complex)));
  EXPECT_EQ(complex_back.Get<Eigen::MatrixXcf>(), complex);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet complexes_back,
      Returned(MakePacket<std::vector<Eigen::MatrixXcf>>(
          std::vector<Eigen::MatrixXcf>(2, complex))));
  EXPECT_EQ(complexes_back.Get<std::vector<Eigen::MatrixXcf>>().size(), 2u);
  ExpectDamageIsAnError(MakePacket<Eigen::MatrixXcf>(complex), 8);
}

TEST(FormatBytesTest, ATensorComesBack) {
  Tensor tensor(Tensor::ElementType::kFloat32, Tensor::Shape({2, 3}, true),
                {0.5f, 7});
  for (int i = 0; i < 6; ++i) {
    tensor.GetCpuWriteView().buffer<float>()[i] = 0.25f * i;
  }
  std::vector<Tensor> tensors;
  tensors.push_back(std::move(tensor));
  tensors.emplace_back(Tensor::ElementType::kInt8, Tensor::Shape{4});
  tensors.emplace_back(Tensor::ElementType::kNone, Tensor::Shape{});
  const Packet packet = MakePacket<std::vector<Tensor>>(std::move(tensors));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back, Returned(packet));
  const auto& read = back.Get<std::vector<Tensor>>();
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].element_type(), Tensor::ElementType::kFloat32);
  EXPECT_EQ(read[0].shape(), Tensor::Shape({2, 3}, true));
  EXPECT_EQ(read[0].quantization_parameters().scale, 0.5f);
  EXPECT_EQ(read[0].quantization_parameters().zero_point, 7);
  EXPECT_EQ(read[0].GetCpuReadView().buffer<float>()[5], 1.25f);
  // A tensor that was never written cannot be read when it comes back either.
  EXPECT_FALSE(read[1].ready_on_cpu());
  EXPECT_EQ(read[1].bytes(), 4);
  EXPECT_EQ(BytesOfPacket(back).value(), BytesOfPacket(packet).value());

  Tensor one(Tensor::ElementType::kBool, Tensor::Shape{3});
  one.GetCpuWriteView().buffer<bool>()[1] = true;
  ExpectDamageIsAnError(MakePacket<Tensor>(std::move(one)), 22);
}

TEST(FormatBytesTest, HeadersAndTransformsComeBack) {
  VideoHeader header;
  header.format = ImageFormat::SRGB;
  header.width = 640;
  header.duration = 1.5;
  header.frame_rate = 30000.0 / 1001;
  const Packet packet = MakePacket<VideoHeader>(header);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet back, Returned(packet));
  const auto& read = back.Get<VideoHeader>();
  EXPECT_EQ(read.format, header.format);
  EXPECT_EQ(read.width, 640);
  EXPECT_EQ(read.height, 0);
  EXPECT_EQ(read.duration, 1.5);
  EXPECT_EQ(read.frame_rate, 30000.0 / 1001);
  ExpectDamageIsAnError(packet, 12);

  const auto transform = AffineTransform::Create(Point2_f(1, 2), Point2_f(3, 4),
                                                 0.5f, Point2_f(6, 7));
  const Packet moved = MakePacket<AffineTransform>(transform);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet moved_back, Returned(moved));
  EXPECT_TRUE(
      AffineTransform::Equal(moved_back.Get<AffineTransform>(), transform));
  ExpectDamageIsAnError(moved, 28);
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
