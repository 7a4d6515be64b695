// ImageFramePool and ImageMultiPool: frames come back, and the pools do not
// grow without limit.

#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/formats/image_frame_pool.h"
#include "framework/formats/image_multi_pool.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;

TEST(ImageFramePoolTest, AFrameThatCameBackIsUsedAgain) {
  auto pool = ImageFramePool::Create(3, 2, ImageFormat::SRGB, 1);
  EXPECT_EQ(pool->width(), 3);
  EXPECT_EQ(pool->height(), 2);
  EXPECT_EQ(pool->format(), ImageFormat::SRGB);
  ImageFrameSharedPtr frame = pool->GetBuffer();
  EXPECT_EQ(frame->Width(), 3);
  const ImageFrame* address = frame.get();
  EXPECT_THAT(pool->GetInUseAndAvailableCounts(), Pair(1, 0));
  frame.reset();
  EXPECT_THAT(pool->GetInUseAndAvailableCounts(), Pair(0, 1));
  EXPECT_EQ(pool->GetBuffer().get(), address);
}

TEST(ImageFramePoolTest, KeepsNoMoreThanItIsTold) {
  auto pool = ImageFramePool::Create(3, 2, ImageFormat::SRGB, 2);
  std::vector<ImageFrameSharedPtr> frames;
  for (int i = 0; i < 5; ++i) frames.push_back(pool->GetBuffer());
  EXPECT_THAT(pool->GetInUseAndAvailableCounts(), Pair(5, 0));
  frames.clear();
  EXPECT_THAT(pool->GetInUseAndAvailableCounts(), Pair(0, 2));
}

TEST(ImageFramePoolTest, AFrameMayOutliveItsPool) {
  auto pool = ImageFramePool::Create(3, 2, ImageFormat::SRGB, 2);
  ImageFrameSharedPtr frame = pool->GetBuffer();
  pool.reset();
  frame->SetToZero();
}

TEST(ImageFramePoolTest, AFrameThatIsNoLongerWhatItWasIsNotUsedAgain) {
  auto pool = ImageFramePool::Create(3, 2, ImageFormat::SRGB, 2);
  pool->GetBuffer()->Release();
  pool->GetBuffer()->Reset(ImageFormat::GRAY8, 3, 2);
  EXPECT_THAT(pool->GetInUseAndAvailableCounts(), Pair(0, 0));
}

TEST(ImageFramePoolTest, ServesSeveralThreads) {
  auto pool = ImageFramePool::Create(3, 2, ImageFormat::SRGB, 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([pool] {
      for (int n = 0; n < 200; ++n) pool->GetBuffer()->SetToZero();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->GetInUseAndAvailableCounts().first, 0);
}

TEST(ImageMultiPoolTest, EveryKindOfImageHasItsPool) {
  ImageMultiPool pool;
  const Image small = pool.GetBuffer(2, 2, false);
  EXPECT_EQ(small.image_format(), ImageFormat::SRGBA);
  const Image gray = pool.GetBuffer(2, 2, false, ImageFormat::GRAY8);
  EXPECT_EQ(gray.image_format(), ImageFormat::GRAY8);
  EXPECT_EQ(pool.GetBuffer(5, 2, false).width(), 5);
  EXPECT_NE(small, pool.GetBuffer(2, 2, false));
}

TEST(ImageMultiPoolTest, ManyKindsOneAfterAnotherAreServed) {
  ImageMultiPool pool(nullptr);
  const Image first = pool.GetBuffer(1, 1, false);
  for (int width = 1; width <= 3 * ImageMultiPool::kMaxPools; ++width) {
    EXPECT_EQ(pool.GetBuffer(width, 1, false).width(), width);
  }
  EXPECT_EQ(first.width(), 1);
}

TEST(ImageMultiPoolTest, WhatIsNotThereIsAMisuse) {
  ImageMultiPool pool;
  const auto get = [&](int width, bool use_gpu) {
    return CallUserCode([&] {
      pool.GetBuffer(width, 1, use_gpu);
      return absl::OkStatus();
    });
  };
  EXPECT_THAT(get(1, true), StatusIs(absl::StatusCode::kUnimplemented,
                                     HasSubstr("no images on a GPU")));
  EXPECT_THAT(get(-1, false), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
