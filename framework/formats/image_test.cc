// Image, its pixel locks, SharedAccess and VideoHeader.

#include "framework/formats/image.h"

#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/formats/shared_access.h"
#include "framework/formats/video_stream_header.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ImageTest, WithoutAFrameThereIsNoImage) {
  Image image;
  EXPECT_FALSE(image);
  EXPECT_TRUE(image == nullptr);
  EXPECT_EQ(image.width() + image.height() + image.channels() + image.step(),
            0);
  EXPECT_EQ(image.image_format(), ImageFormat::UNKNOWN);
  EXPECT_FALSE(image.ConvertToCpu());
  EXPECT_EQ(image.GetImageFrameSharedPtr(), nullptr);
  EXPECT_EQ(PixelReadLock(image).Pixels(), nullptr);
  EXPECT_EQ(PixelWriteLock(&image).Pixels(), nullptr);
  EXPECT_EQ(Image(std::make_shared<ImageFrame>()).channels(), 0);
}

TEST(ImageTest, IsAHandleOfItsPixels) {
  auto frame = std::make_shared<ImageFrame>(ImageFormat::SRGB, 4, 2);
  Image image(frame);
  EXPECT_EQ(image.width(), 4);
  EXPECT_EQ(image.height(), 2);
  EXPECT_EQ(image.channels(), 3);
  EXPECT_EQ(image.step(), 16);
  EXPECT_EQ(image.image_format(), ImageFormat::SRGB);
  EXPECT_FALSE(image.UsesGpu());
  EXPECT_TRUE(image.ConvertToCpu());
  EXPECT_FALSE(image.ConvertToGpu());
  EXPECT_EQ(image.GetImageFrameSharedPtr(), frame);

  Image copy = image;
  EXPECT_EQ(copy, image);
  EXPECT_NE(copy, Image(std::make_shared<ImageFrame>(ImageFormat::SRGB, 4, 2)));
  PixelWriteLock(&copy).Pixels()[0] = 7;
  EXPECT_EQ(PixelReadLock(image).Pixels()[0], 7);

  copy = nullptr;
  EXPECT_NE(copy, image);
  EXPECT_TRUE(image != nullptr);
}

TEST(ImageTest, ManyReadAtATime) {
  const Image image(std::make_shared<ImageFrame>(ImageFormat::GRAY8, 1, 1));
  const PixelReadLock first(image);
  const PixelReadLock second(image);
  EXPECT_EQ(first.Pixels(), second.Pixels());
}

TEST(ImageTest, WritersExcludeEachOtherAndReadersAmongAllCopies) {
  auto frame = std::make_shared<ImageFrame>(ImageFormat::GRAY8, 2, 1);
  frame->SetToZero();
  const Image image(std::move(frame));
  std::atomic<bool> all_equal = true;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = image, &all_equal]() mutable {
      for (int n = 0; n < 500; ++n) {
        {
          PixelWriteLock lock(&copy);
          ++lock.Pixels()[0];
          ++lock.Pixels()[1];
        }
        const PixelReadLock lock(copy);
        if (lock.Pixels()[0] != lock.Pixels()[1]) all_equal = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(all_equal);
  EXPECT_EQ(PixelReadLock(image).Pixels()[0], 2000 % 256);
}

TEST(ImageTest, PacketsOfImagesHaveANameAndASize) {
  const Packet packet = MakePacket<Image>(
      std::make_shared<ImageFrame>(ImageFormat::GRAY8, 100, 10, 1));
  EXPECT_EQ(packet.RegisteredTypeName(), "::syncline::Image");
  EXPECT_EQ(MakePacket<std::vector<Image>>().RegisteredTypeName(),
            "::std::vector<::syncline::Image>");
  EXPECT_GT(PayloadSize<Image>::Bytes(packet.Get<Image>()), 1000u);
}

TEST(SharedAccessTest, AccessMovesAndEndsOnce) {
  auto access = std::make_shared<SharedAccess>();
  ScopedAccess outer;
  {
    ScopedAccess inner = ScopedAccess::Write(access);
    outer = std::move(inner);
  }
  std::atomic<bool> reads = false;
  std::thread reader([&] {
    const ScopedAccess mine = ScopedAccess::Read(access);
    reads = true;
  });
  EXPECT_FALSE(reads);
  { const ScopedAccess ends_here = std::move(outer); }
  reader.join();
  EXPECT_TRUE(reads);
  ScopedAccess::Write(access);
}

TEST(VideoHeaderTest, IsUnknownAtFirst) {
  const VideoHeader header;
  EXPECT_EQ(header.format, ImageFormat::UNKNOWN);
  EXPECT_EQ(header.width + header.height, 0);
  EXPECT_EQ(header.duration + header.frame_rate, 0);
}

TEST(VideoHeaderTest, ARateIsADoubleAndADurationAFloat) {
  static_assert(std::is_same_v<decltype(VideoHeader::frame_rate), double>);
  static_assert(std::is_same_v<decltype(VideoHeader::duration), float>);
  VideoHeader header;
  header.frame_rate = 30000.0 / 1001;
  EXPECT_EQ(header.frame_rate * 1001, 30000);
}

}  // namespace
}  // namespace syncline
