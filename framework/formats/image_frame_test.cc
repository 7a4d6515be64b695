#include "framework/formats/image_frame.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/misuse_test_support.h"
#include "framework/packet/packet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr int kMaxInt = std::numeric_limits<int>::max();

// Every byte of every pixel, in order.
ImageFrame Numbered(ImageFormat::Format format, int width, int height,
                    uint32_t alignment) {
  ImageFrame frame(format, width, height, alignment);
  const int row = width * frame.NumberOfChannels() * frame.ByteDepth();
  for (int y = 0; y < height; ++y) {
    uint8_t* begin = frame.MutablePixelData() + y * frame.WidthStep();
    std::iota(begin, begin + row, static_cast<uint8_t>(y * row));
  }
  return frame;
}

TEST(ImageFrameTest, EachFormatHasItsPixels) {
  const struct {
    ImageFormat::Format format;
    int channels;
    int depth;
  } kFormats[] = {
      {ImageFormat::SRGB, 3, 1},    {ImageFormat::SRGBA, 4, 1},
      {ImageFormat::SBGRA, 4, 1},   {ImageFormat::GRAY8, 1, 1},
      {ImageFormat::GRAY16, 1, 2},  {ImageFormat::SRGB48, 3, 2},
      {ImageFormat::SRGBA64, 4, 2}, {ImageFormat::LAB8, 3, 1},
      {ImageFormat::VEC32F1, 1, 4}, {ImageFormat::VEC32F2, 2, 4},
      {ImageFormat::VEC32F4, 4, 4},
  };
  for (const auto& [format, channels, depth] : kFormats) {
    const ImageFrame frame(format, 5, 2, 1);
    EXPECT_EQ(frame.Format(), format);
    EXPECT_EQ(frame.NumberOfChannels(), channels);
    EXPECT_EQ(frame.ByteDepth(), depth);
    EXPECT_EQ(frame.ChannelSize(), depth);
    EXPECT_EQ(frame.WidthStep(), 5 * channels * depth);
    EXPECT_EQ(frame.PixelDataSize(), 10 * channels * depth);
  }
}

TEST(ImageFrameTest, RowsBeginAtMultiplesOfTheAlignment) {
  for (const uint32_t alignment : {1u, 2u, 4u, 16u, 64u, 4096u}) {
    const ImageFrame frame(ImageFormat::SRGB, 7, 3, alignment);
    EXPECT_TRUE(frame.IsAligned(alignment)) << alignment;
    EXPECT_EQ(frame.WidthStep() % alignment, 0u);
    EXPECT_LT(frame.WidthStep(), 21 + static_cast<int>(alignment));
    EXPECT_EQ(frame.PixelDataSizeStoredContiguously(), 63);
    EXPECT_EQ(frame.IsContiguous(), alignment == 1);
  }
  EXPECT_EQ(ImageFrame(ImageFormat::SRGB, 7, 3).WidthStep(), 32);
}

TEST(ImageFrameTest, WithoutAnImageItIsEmpty) {
  ImageFrame frame;
  EXPECT_TRUE(frame.IsEmpty());
  EXPECT_EQ(frame.PixelData(), nullptr);
  EXPECT_EQ(frame.PixelDataSize(), 0);
  EXPECT_EQ(frame.PixelDataSizeStoredContiguously(), 0);
  EXPECT_FALSE(frame.IsContiguous());
  EXPECT_FALSE(frame.IsAligned(1));
  frame.SetToZero();
  frame.SetAlignmentPaddingAreas();
  EXPECT_EQ(frame.Release(), nullptr);

  ImageFrame copy(ImageFormat::GRAY8, 1, 1);
  copy.CopyFrom(frame, 1);
  EXPECT_TRUE(copy.IsEmpty());
  EXPECT_THAT(StatusOf([&] { frame.NumberOfChannels(); }), IsMisuse("UNKNOWN"));
  std::vector<uint8_t> buffer(1);
  EXPECT_THAT(StatusOf([&] { frame.CopyToBuffer(buffer.data(), 1); }),
              IsMisuse("without pixels"));
}

TEST(ImageFrameTest, AnImageWithoutPixelsIsAnImage) {
  for (const auto& [width, height] :
       {std::pair(0, 0), std::pair(5, 0), std::pair(0, 5)}) {
    ImageFrame frame(ImageFormat::SRGB, width, height);
    EXPECT_FALSE(frame.IsEmpty());
    EXPECT_EQ(frame.Width(), width);
    EXPECT_EQ(frame.PixelDataSize(), 0);
    frame.SetToZero();
    frame.SetAlignmentPaddingAreas();
    ImageFrame copy;
    copy.CopyFrom(frame, 4);
    EXPECT_EQ(copy.Height(), height);
    copy.CopyToBuffer(static_cast<uint8_t*>(nullptr), 0);
  }
}

TEST(ImageFrameTest, WhatLiesBetweenRowsCanBeCleared) {
  ImageFrame frame(ImageFormat::GRAY8, 3, 2, 8);
  std::fill_n(frame.MutablePixelData(), frame.PixelDataSize(), 9);
  frame.SetAlignmentPaddingAreas();
  EXPECT_THAT(std::vector<uint8_t>(frame.PixelData(), frame.PixelData() + 16),
              ElementsAre(9, 9, 9, 0, 0, 0, 0, 0, 9, 9, 9, 0, 0, 0, 0, 0));
  frame.SetToZero();
  EXPECT_THAT(std::vector<uint8_t>(frame.PixelData(), frame.PixelData() + 16),
              Each(0));
}

TEST(ImageFrameTest, CopiesBetweenAlignments) {
  const ImageFrame frame = Numbered(ImageFormat::SRGB, 2, 3, 16);
  ImageFrame copy;
  copy.CopyFrom(frame, 1);
  EXPECT_TRUE(copy.IsContiguous());
  std::vector<uint8_t> expected(18);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(std::vector<uint8_t>(copy.PixelData(), copy.PixelData() + 18),
            expected);

  ImageFrame again;
  again.CopyPixelData(ImageFormat::SRGB, 2, 3, copy.PixelData(), 64);
  std::vector<uint8_t> buffer(18);
  again.CopyToBuffer(buffer.data(), 18);
  EXPECT_EQ(buffer, expected);

  again.CopyFrom(again, 1);
  EXPECT_EQ(std::vector<uint8_t>(again.PixelData(), again.PixelData() + 18),
            expected);
}

TEST(ImageFrameTest, CopiesValuesOfTheSizeThatItHas) {
  const ImageFrame words = Numbered(ImageFormat::GRAY16, 2, 2, 16);
  std::vector<uint16_t> word_buffer(4);
  words.CopyToBuffer(word_buffer.data(), 4);
  EXPECT_THAT(word_buffer, ElementsAre(0x0100, 0x0302, 0x0504, 0x0706));

  ImageFrame floats(ImageFormat::VEC32F2, 1, 2);
  for (int y = 0; y < 2; ++y) {
    auto* row = reinterpret_cast<float*>(floats.MutablePixelData() +
                                         y * floats.WidthStep());
    row[0] = 10 * y;
    row[1] = 10 * y + 1;
  }
  std::vector<float> float_buffer(4);
  floats.CopyToBuffer(float_buffer.data(), 4);
  EXPECT_THAT(float_buffer, ElementsAre(0, 1, 10, 11));

  EXPECT_THAT(StatusOf([&] { words.CopyToBuffer(float_buffer.data(), 4); }),
              IsMisuse("GRAY16, 2 x 2, have 2 bytes"));
  EXPECT_THAT(StatusOf([&] { words.CopyToBuffer(word_buffer.data(), 3); }),
              IsMisuse("The 4 values of an image of format GRAY16, 2 x 2, do "
                       "not fit into a buffer of 3"));
  EXPECT_THAT(StatusOf([&] { words.CopyToBuffer(word_buffer.data(), -1); }),
              IsMisuse("buffer of -1"));
  EXPECT_THAT(
      StatusOf([&] { words.CopyToBuffer(static_cast<uint16_t*>(nullptr), 4); }),
      IsMisuse("do not fit"));
}

TEST(ImageFrameTest, MovingLeavesNothingBehind) {
  ImageFrame frame = Numbered(ImageFormat::GRAY8, 2, 2, 1);
  const uint8_t* pixels = frame.PixelData();
  ImageFrame moved(std::move(frame));
  EXPECT_EQ(moved.PixelData(), pixels);
  EXPECT_TRUE(frame.IsEmpty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(frame.Width(), 0);
  EXPECT_EQ(frame.Format(), ImageFormat::UNKNOWN);
  frame = std::move(moved);
  EXPECT_EQ(frame.PixelData(), pixels);
  frame = std::move(*&frame);
  EXPECT_EQ(frame.PixelData(), pixels);
}

TEST(ImageFrameTest, AdoptedPixelsAreFreedOnceByTheirDeleter) {
  int freed = 0;
  uint8_t pixels[12] = {};
  {
    ImageFrame frame(ImageFormat::SRGB, 2, 2, 6, pixels,
                     [&freed](uint8_t*) { ++freed; });
    EXPECT_EQ(frame.PixelData(), pixels);
    ImageFrame moved = std::move(frame);
    EXPECT_EQ(freed, 0);
    moved.Reset(ImageFormat::GRAY8, 1, 1);
    EXPECT_EQ(freed, 1);
  }
  EXPECT_EQ(freed, 1);

  // The pixels are freed also when the other arguments are a misuse.
  EXPECT_THAT(StatusOf([&] {
                ImageFrame(ImageFormat::SRGB, 2, 2, 5, pixels,
                           [&freed](uint8_t*) { ++freed; });
              }),
              IsMisuse("take 6 bytes each and cannot be 5 bytes apart"));
  EXPECT_EQ(freed, 2);

  ImageFrame foreign(ImageFormat::SRGB, 2, 2, 6, pixels,
                     ImageFrame::PixelDataDeleter::kNone);
  ImageFrame unsaid(ImageFormat::SRGB, 2, 2, 6, pixels, nullptr);
  ImageFrame owned(ImageFormat::SRGB, 2, 2, 6, new uint8_t[12]);
  ImageFrame of_malloc(ImageFormat::SRGB, 2, 2, 6,
                       static_cast<uint8_t*>(malloc(12)),
                       ImageFrame::PixelDataDeleter::kFree);
}

TEST(ImageFrameTest, ReleaseGivesThePixelsAwayWithTheirDeleter) {
  int freed = 0;
  uint8_t pixels[4] = {};
  ImageFrame frame(ImageFormat::GRAY8, 2, 2, 2, pixels,
                   [&freed](uint8_t*) { ++freed; });
  auto released = frame.Release();
  EXPECT_TRUE(frame.IsEmpty());
  EXPECT_EQ(released.get(), pixels);
  EXPECT_EQ(freed, 0);
  released.reset();
  EXPECT_EQ(freed, 1);
}

TEST(ImageFrameTest, WhatNoImageCanBeIsAMisuse) {
  const auto reset = [](ImageFormat::Format format, int width, int height,
                        uint32_t alignment) {
    return StatusOf([&] { ImageFrame(format, width, height, alignment); });
  };
  EXPECT_THAT(reset(ImageFormat::UNKNOWN, 1, 1, 1), IsMisuse("UNKNOWN"));
  EXPECT_THAT(reset(ImageFormat::YCBCR420P, 1, 1, 1), IsMisuse("YCBCR420P"));
  EXPECT_THAT(reset(static_cast<ImageFormat::Format>(99), 1, 1, 1),
              IsMisuse("the format 99"));
  EXPECT_THAT(reset(ImageFormat::SRGB, -1, 5, 1), IsMisuse("-1 x 5 pixels"));
  EXPECT_THAT(reset(ImageFormat::SRGB, 5, -1, 1), IsMisuse("5 x -1 pixels"));
  EXPECT_THAT(reset(ImageFormat::SRGB, 5, 5, 0), IsMisuse("0 is none"));
  EXPECT_THAT(reset(ImageFormat::SRGB, 5, 5, 12), IsMisuse("12 is none"));
  EXPECT_THAT(reset(ImageFormat::SRGB, kMaxInt, kMaxInt, 1), IsMisuse("2 GiB"));
  EXPECT_THAT(reset(ImageFormat::VEC32F4, kMaxInt, 1, 16), IsMisuse("2 GiB"));
  EXPECT_THAT(reset(ImageFormat::GRAY8, 1, 1, 1u << 31), IsMisuse("2 GiB"));
  EXPECT_THAT(reset(ImageFormat::GRAY8, 1 << 16, 1 << 15, 1),
              IsMisuse("2 GiB"));

  const uint8_t pixel = 0;
  ImageFrame frame;
  EXPECT_THAT(StatusOf([&] {
                frame.CopyPixelData(ImageFormat::GRAY8, 2, 1, 1, &pixel, 1);
              }),
              IsMisuse("cannot be 1 bytes apart"));
  EXPECT_THAT(StatusOf([&] {
                frame.CopyPixelData(ImageFormat::GRAY8, 1, 1, nullptr, 1);
              }),
              IsMisuse("null pointer"));
  EXPECT_THAT(StatusOf([&] {
                frame.AdoptPixelData(ImageFormat::GRAY8, 1, 1, 1, nullptr);
              }),
              IsMisuse("null pointer"));
  EXPECT_TRUE(frame.IsEmpty());
}

TEST(ImageFrameTest, PacketsOfFramesHaveANameAndASize) {
  const Packet packet = MakePacket<ImageFrame>(ImageFormat::GRAY8, 100, 10, 1);
  EXPECT_EQ(packet.RegisteredTypeName(), "::syncline::ImageFrame");
  EXPECT_GT(PayloadSize<ImageFrame>::Bytes(packet.Get<ImageFrame>()), 1000u);
}

}  // namespace
}  // namespace syncline
