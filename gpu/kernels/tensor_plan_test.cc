#include "gpu/kernels/tensor_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/reduction_parts.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

PlacedImage RgbOfFourByThree() {
  return {{.width = 4, .height = 3, .channels = 3, .pitch = 12}, 36};
}

TEST(TensorPlanTest, NormalizeTakesOneNumberOrOnePerChannel) {
  const PlacedImage image = RgbOfFourByThree();
  const auto plan =
      PlanNormalize(image, TensorOrder::kChw, 144, {1}, {2, 3, 4});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->count, 12);
  EXPECT_EQ(plan->parameters.mean[2], 1);
  EXPECT_EQ(plan->parameters.scale[2], 4);
  EXPECT_EQ(plan->parameters.stride_channel, 12);
  EXPECT_THAT(PlanNormalize(image, TensorOrder::kChw, 144, {1, 2}, {1})
                  .status()
                  .message(),
              HasSubstr("2 numbers of the mean for 3 channels"));
  EXPECT_THAT(
      PlanNormalize(image, TensorOrder::kChw, 143, {0}, {1}).status().message(),
      HasSubstr("Normalize: the tensor of 3 x 4 x 3 floats takes 144 "
                "bytes, and its buffer has 143"));
}

TEST(TensorPlanTest, NothingLeadsBackFromAScaleOfZero) {
  EXPECT_THAT(PlanDenormalize(TensorOrder::kHwc, 144, RgbOfFourByThree(), {0},
                              {1, 0, 1})
                  .status()
                  .message(),
              HasSubstr("the scale of channel 1 is 0"));
}

TEST(TensorPlanTest, DimensionsThatLieBehindOneAnotherAreJoined) {
  const StridedTensor dense = {.strides = {60, 20, 5, 1}, .buffer_bytes = 480};
  const auto plan = PlanStridedCopy(4, {2, 3, 4, 5}, dense, dense);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->kernel, &kStridedCopy4);
  EXPECT_EQ(plan->count, 120);
  EXPECT_EQ(plan->parameters.rank, 1);
  EXPECT_EQ(plan->parameters.shape[0], 120u);
  const StridedTensor gap = {.strides = {60, 20, 4, 1}, .buffer_bytes = 1000};
  EXPECT_EQ(PlanStridedCopy(4, {2, 3, 4, 4}, dense, gap)->parameters.rank, 3);
}

TEST(TensorPlanTest, AScalarAndAnEmptyTensorAreCopied) {
  const StridedTensor scalar = {.offset = 2, .buffer_bytes = 6};
  EXPECT_EQ(PlanStridedCopy(2, {}, scalar, scalar)->count, 1);
  const StridedTensor empty = {.strides = {7, kHuge}};
  EXPECT_EQ(PlanStridedCopy(2, {0, 9}, empty, empty)->count, 0);
}

TEST(TensorPlanTest, EveryElementIsInsideItsBuffer) {
  const StridedTensor right = {.strides = {3, 1}, .buffer_bytes = 6};
  EXPECT_TRUE(PlanStridedCopy(1, {2, 3}, right, right).ok());
  for (const StridedTensor& wrong : std::vector<StridedTensor>{
           {.strides = {3, 1}, .buffer_bytes = 5},
           {.offset = 1, .strides = {3, 1}, .buffer_bytes = 6},
           {.offset = -1, .strides = {3, 1}, .buffer_bytes = 6},
           {.strides = {-3, 1}, .buffer_bytes = 6},
           {.strides = {kHuge, 1}, .buffer_bytes = 6},
           {.strides = {-kHuge, kHuge}, .buffer_bytes = 6},
           {.offset = kHuge, .strides = {kHuge, kHuge}, .buffer_bytes = 6}}) {
    EXPECT_THAT(PlanStridedCopy(1, {2, 3}, wrong, right).status().message(),
                HasSubstr("the input of shape [2, 3]"));
    EXPECT_THAT(PlanStridedCopy(1, {2, 3}, right, wrong).status().message(),
                HasSubstr("the output of shape [2, 3]"));
  }
}

TEST(TensorPlanTest, ImpossibleCopiesAreErrors) {
  const StridedTensor two = {.strides = {1, 1}, .buffer_bytes = 100};
  EXPECT_FALSE(PlanStridedCopy(3, {2, 2}, two, two).ok());
  EXPECT_FALSE(PlanStridedCopy(1, {2}, two, two).ok());
  EXPECT_FALSE(PlanStridedCopy(1, {-2, 2}, two, two).ok());
  EXPECT_FALSE(PlanStridedCopy(1, {1 << 16, 1 << 16}, two, two).ok());
  EXPECT_FALSE(PlanStridedCopy(1, {kHuge, kHuge}, two, two).ok());
  const StridedTensor still = {.strides = {0, 1}, .buffer_bytes = 100};
  EXPECT_TRUE(PlanStridedCopy(1, {2, 2}, still, two).ok());
  EXPECT_THAT(PlanStridedCopy(1, {2, 2}, two, still).status().message(),
              HasSubstr("a stride of the output is 0"));
  StridedTensor nine;
  std::vector<std::int64_t> shape(9, 2);
  for (int d = 0; d < 9; ++d) nine.strides.push_back(3 << (2 * d));
  nine.buffer_bytes = std::size_t{1} << 24;
  EXPECT_THAT(PlanStridedCopy(1, shape, nine, nine).status().message(),
              HasSubstr("9 dimensions; at most 8"));
}

TEST(TensorPlanTest, StatisticsFitTheirBuffers) {
  const std::size_t parts = ReductionPartsBytes<StatisticsPart>();
  const auto plan = [&](std::int64_t rows, std::int64_t length,
                        std::int64_t pitch, std::int64_t offset,
                        std::size_t bytes) {
    return PlanStatistics(StatisticsElement::kFloat, rows, length, pitch,
                          offset, bytes, parts, sizeof(Statistics));
  };
  EXPECT_TRUE(plan(2, 3, 4, 1, 32).ok());
  EXPECT_THAT(plan(2, 3, 4, 1, 31).status().message(),
              HasSubstr("the input ends at byte 32"));
  EXPECT_FALSE(plan(2, 3, 2, 0, 1000).ok());
  EXPECT_FALSE(plan(-1, 3, 3, 0, 1000).ok());
  EXPECT_FALSE(plan(2, 3, kHuge, 0, 1000).ok());
  EXPECT_FALSE(plan(2, 3, 3, -kHuge, 1000).ok());
  EXPECT_FALSE(plan(1 << 20, 1 << 20, 1 << 20, 0, 1000).ok());
  EXPECT_EQ(plan(0, 3, 0, 0, 0)->count, 0);
  EXPECT_FALSE(PlanStatistics(StatisticsElement::kByte, 1, 1, 1, 0, 1,
                              parts - 1, sizeof(Statistics))
                   .ok());
  EXPECT_FALSE(PlanStatistics(StatisticsElement::kByte, 1, 1, 1, 0, 1, parts,
                              sizeof(Statistics) - 1)
                   .ok());
}

}  // namespace
}  // namespace syncline::gpu
