#include "gpu/kernels/layout_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

PlacedImage ImageOf(ImageLayout layout, std::size_t bytes) {
  return {layout, bytes};
}

TEST(LayoutCheckTest, AnImageMayFillItsBuffer) {
  const ImageLayout layout = {
      .width = 5, .height = 3, .channels = 3, .pitch = 20, .offset = 7};
  EXPECT_TRUE(CheckImage("K", "input", ImageOf(layout, 62)).ok());
  const absl::Status status = CheckImage("K", "input", ImageOf(layout, 61));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("K: the input ends at byte 62 of its "
                                          "buffer, which has 61"));
}

TEST(LayoutCheckTest, AnEmptyImageNeedsNoBuffer) {
  EXPECT_TRUE(
      CheckImage("K", "input", ImageOf({.width = 0, .height = 9}, 0)).ok());
  EXPECT_TRUE(
      CheckImage("K", "input", ImageOf({.width = 9, .height = 0}, 0)).ok());
}

TEST(LayoutCheckTest, RowsDoNotOverlap) {
  const absl::Status status = CheckImage(
      "K", "output",
      ImageOf({.width = 5, .height = 3, .channels = 2, .pitch = 9}, 1000));
  EXPECT_THAT(status.message(), HasSubstr("give a pitch from 10"));
}

TEST(LayoutCheckTest, OnlyTheChannelsThatAKernelTakes) {
  const ImageLayout two = {.width = 1, .height = 1, .channels = 2, .pitch = 2};
  EXPECT_TRUE(CheckImage("K", "input", ImageOf(two, 2)).ok());
  EXPECT_TRUE(CheckImage("K", "input", ImageOf(two, 2), {1, 2}).ok());
  EXPECT_THAT(CheckImage("K", "input", ImageOf(two, 2), {1, 3}).message(),
              HasSubstr("has 2 channels; it can have 1 or 3"));
  for (int channels : {0, 5, -1}) {
    EXPECT_FALSE(
        CheckImage("K", "input", ImageOf({.channels = channels}, 10)).ok());
  }
}

TEST(LayoutCheckTest, NoNumberOverflows) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t number :
       {kMost, kLeast, kMost / 2, std::int64_t{1} << 43}) {
    EXPECT_FALSE(
        CheckImage("K", "input",
                   ImageOf({.width = 1, .height = 2, .pitch = number}, 100))
            .ok());
    EXPECT_FALSE(
        CheckImage(
            "K", "input",
            ImageOf({.width = 1, .height = 2, .pitch = 1, .offset = number},
                    100))
            .ok());
  }
  for (std::int32_t side :
       {-1, kMaxImageSide + 1, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_FALSE(
        CheckImage("K", "input",
                   ImageOf({.width = side, .height = 1, .pitch = kMost}, 100))
            .ok());
    EXPECT_FALSE(
        CheckImage("K", "input",
                   ImageOf({.width = 1, .height = side, .pitch = 1}, 100))
            .ok());
  }
  EXPECT_THAT(
      CheckImage(
          "K", "input",
          ImageOf({.width = 1 << 16, .height = 1 << 15, .pitch = 1 << 16},
                  std::size_t{1} << 31))
          .message(),
      HasSubstr("less than 2^31 pixels"));
}

TEST(LayoutCheckTest, SizesAreCompared) {
  EXPECT_TRUE(CheckSameSize("K", {.width = 2, .height = 3},
                            {.width = 2, .height = 3, .channels = 4})
                  .ok());
  EXPECT_THAT(
      CheckSameSize("K", {.width = 2, .height = 3}, {.width = 3, .height = 2})
          .message(),
      HasSubstr("2 x 3 pixels and the output of 3 x 2"));
}

}  // namespace
}  // namespace syncline::gpu
