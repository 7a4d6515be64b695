// The pixels of destroyed frames are used again for the next frames.

#include "framework/formats/image_frame_memory.h"

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "framework/formats/image_frame.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kWidth = 321;
constexpr int kHeight = 240;

std::unique_ptr<ImageFrame> New(ImageFrameMemory* memory, int width = kWidth) {
  return memory->NewFrame(ImageFormat::SRGB, width, kHeight);
}

TEST(ImageFrameMemoryTest, MakesFramesLikeAnyOther) {
  ImageFrameMemory memory;
  for (const ImageFormat::Format format :
       {ImageFormat::SRGB, ImageFormat::GRAY16, ImageFormat::VEC32F4}) {
    const auto frame = memory.NewFrame(format, kWidth, kHeight);
    const ImageFrame other(format, kWidth, kHeight);
    EXPECT_EQ(frame->Format(), format);
    EXPECT_EQ(frame->Width(), kWidth);
    EXPECT_EQ(frame->Height(), kHeight);
    EXPECT_EQ(frame->WidthStep(), other.WidthStep());
    EXPECT_TRUE(frame->IsAligned(ImageFrame::kDefaultAlignmentBoundary));
    frame->SetToZero();
  }
  EXPECT_EQ(memory.NewFrame(ImageFormat::GRAY8, 1, 1)->Width(), 1);
}

TEST(ImageFrameMemoryTest, UsesPixelsAgain) {
  ImageFrameMemory memory;
  const std::uint8_t* pixels = nullptr;
  for (int i = 0; i < 10; ++i) {
    const auto frame = New(&memory);
    if (pixels != nullptr) {
      EXPECT_EQ(frame->PixelData(), pixels);
    }
    pixels = frame->PixelData();
  }
  EXPECT_EQ(memory.kept(), 1);
}

TEST(ImageFrameMemoryTest, ChangesWithTheSizeAndKeepsOnlyAFew) {
  ImageFrameMemory memory;
  {
    std::vector<std::unique_ptr<ImageFrame>> many;
    for (int i = 0; i < 3 * ImageFrameMemory::kKept; ++i) {
      many.push_back(New(&memory));
    }
  }
  EXPECT_EQ(memory.kept(), ImageFrameMemory::kKept);
  auto old = New(&memory);
  { const auto larger = New(&memory, 2 * kWidth); }
  EXPECT_EQ(memory.kept(), 1);
  old.reset();
  EXPECT_EQ(memory.kept(), 1);
  // Small frames are not kept either.
  { const auto small = memory.NewFrame(ImageFormat::GRAY8, 16, 16); }
  EXPECT_EQ(memory.kept(), 1);
}

TEST(ImageFrameMemoryTest, FramesOutliveItAndCanBeConsumed) {
  Packet packet;
  {
    ImageFrameMemory memory;
    packet = Adopt(New(&memory).release());
  }
  auto consumed = packet.Consume<ImageFrame>();
  ASSERT_TRUE(consumed.ok()) << consumed.status();
  (*consumed)->SetToZero();
  const ImageFrame moved(std::move(**consumed));
  EXPECT_EQ(moved.Width(), kWidth);
}

TEST(ImageFrameMemoryTest, ServesManyThreads) {
  ImageFrameMemory memory;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&memory, t] {
      for (int i = 0; i < 200; ++i) {
        const auto frame = New(&memory, kWidth + (i + t) % 2);
        frame->SetToZero();
        frame->MutablePixelData()[frame->PixelDataSize() - 1] = 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(memory.kept(), ImageFrameMemory::kKept);
}

}  // namespace
}  // namespace syncline
