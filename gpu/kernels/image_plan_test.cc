#include "gpu/kernels/image_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gpu/kernels/image_kernels.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

PlacedImage DenseImage(int width, int height, int channels = 1) {
  return {{.width = width,
           .height = height,
           .channels = channels,
           .pitch = std::int64_t{width} * channels},
          static_cast<std::size_t>(width) * height * channels};
}

PlacedImage WithBytes(PlacedImage image, std::size_t bytes) {
  image.buffer_bytes = bytes;
  return image;
}

TEST(ImagePlanTest, ResizeTakesAnyTwoSizesOfTheSameChannels) {
  const auto plan = PlanResize(DenseImage(4, 3, 3), DenseImage(8, 9, 3),
                               Interpolation::kBilinear);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->kernel, &kResizeBilinear);
  EXPECT_EQ(plan->count, 72);
  EXPECT_THAT(PlanResize(DenseImage(4, 3, 3), DenseImage(8, 9, 4),
                         Interpolation::kNearest)
                  .status()
                  .message(),
              HasSubstr("ResizeNearest: the output has 4 channels; it can "
                        "have 3"));
  EXPECT_THAT(PlanResize(DenseImage(4, 3), WithBytes(DenseImage(8, 9), 71),
                         Interpolation::kBilinear)
                  .status()
                  .message(),
              HasSubstr("ResizeBilinear: the output ends at byte 72"));
  EXPECT_THAT(PlanResize(WithBytes(DenseImage(4, 3), 11), DenseImage(8, 9),
                         Interpolation::kBilinear)
                  .status()
                  .message(),
              HasSubstr("the input ends at byte 12"));
}

TEST(ImagePlanTest, NothingCannotBecomeSomething) {
  EXPECT_THAT(
      PlanResize(DenseImage(0, 3), DenseImage(2, 2), Interpolation::kNearest)
          .status()
          .message(),
      HasSubstr("0 x 3 pixels cannot become one of 2 x 2"));
  const auto plan =
      PlanResize(DenseImage(0, 3), DenseImage(0, 2), Interpolation::kNearest);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->count, 0);
}

TEST(ImagePlanTest, ThresholdAndEdgesKeepTheSize) {
  EXPECT_TRUE(PlanThreshold(DenseImage(2, 3, 3), DenseImage(2, 3, 3), 7).ok());
  EXPECT_FALSE(PlanThreshold(DenseImage(2, 3), DenseImage(3, 2), 7).ok());
  EXPECT_TRUE(PlanEdges(DenseImage(2, 3), DenseImage(2, 3)).ok());
  EXPECT_THAT(
      PlanEdges(DenseImage(2, 3, 3), DenseImage(2, 3)).status().message(),
      HasSubstr("Edges: the input has 3 channels; it can have 1"));
  EXPECT_FALSE(PlanEdges(DenseImage(2, 3), DenseImage(2, 4)).ok());
}

TEST(ImagePlanTest, BoxesFitTheirBuffer) {
  const std::size_t size = sizeof(OverlayBox);
  EXPECT_TRUE(PlanOverlayBoxes(DenseImage(2, 3), 0, 0).ok());
  EXPECT_TRUE(PlanOverlayBoxes(DenseImage(2, 3), 2, 2 * size).ok());
  EXPECT_THAT(
      PlanOverlayBoxes(DenseImage(2, 3), 2, 2 * size - 1).status().message(),
      HasSubstr("OverlayBoxes: a buffer of 55 bytes for 2 boxes"));
  EXPECT_FALSE(PlanOverlayBoxes(DenseImage(2, 3), -1, size).ok());
  EXPECT_FALSE(PlanOverlayBoxes(DenseImage(2, 3),
                                std::numeric_limits<std::int64_t>::max(), size)
                   .ok());
}

}  // namespace
}  // namespace syncline::gpu
