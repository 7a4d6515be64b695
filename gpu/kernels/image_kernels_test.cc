// The kernels of images against plainly written loops, with random sizes,
// places and values.

#include "gpu/kernels/image_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/image_plan.h"
#include "gpu/kernels/run_kernel.h"

namespace syncline::gpu {
namespace {

// --- Resize

void ResizeAndCompare(const ImageForTest& from, ImageForTest to,
                      Interpolation interpolation,
                      const ImageForTest& expected) {
  const auto plan = PlanResize(from.placed(), to.placed(), interpolation);
  ASSERT_TRUE(plan.ok()) << plan.status();
  RunPlan(*plan, {ReadsFrom(from.bytes), WritesTo(to.bytes)});
  EXPECT_EQ(to.bytes, expected.bytes)
      << from.layout.width << " x " << from.layout.height << " to "
      << to.layout.width << " x " << to.layout.height;
}

TEST(ResizeTest, NearestTakesThePixelAroundTheCenter) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const int channels = 1 + static_cast<int>(random() % 4);
    const ImageForTest from = RandomImage(random, 1 + RandomSide(random),
                                          1 + RandomSide(random), channels);
    const ImageForTest to =
        RandomImage(random, RandomSide(random), RandomSide(random), channels);
    ImageForTest expected = to;
    for (int y = 0; y < to.layout.height; ++y) {
      for (int x = 0; x < to.layout.width; ++x) {
        const std::uint8_t* pixel = from.pixel(
            (2 * x + 1) * from.layout.width / (2 * to.layout.width),
            (2 * y + 1) * from.layout.height / (2 * to.layout.height));
        std::copy(pixel, pixel + channels, expected.pixel(x, y));
      }
    }
    ResizeAndCompare(from, to, Interpolation::kNearest, expected);
  }
}

// Of the center of a pixel: the neighbour before it, and 2^-11ths beyond that.
struct Neighbours {
  int first;
  int second;
  std::int64_t weight;
};

Neighbours NeighboursOf(std::int64_t place, std::int64_t from,
                        std::int64_t to) {
  // Halves of `to`ths of a pixel.
  std::int64_t position = (2 * place + 1) * from - to;
  position = std::clamp<std::int64_t>(position, 0, (from - 1) * 2 * to);
  const std::int64_t first = position / (2 * to);
  return {static_cast<int>(first),
          static_cast<int>(std::min(first + 1, from - 1)),
          position % (2 * to) * 2048 / (2 * to)};
}

TEST(ResizeTest, BilinearMixesFourPixels) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const int channels = 1 + static_cast<int>(random() % 4);
    const ImageForTest from = RandomImage(random, 1 + RandomSide(random),
                                          1 + RandomSide(random), channels);
    const ImageForTest to =
        RandomImage(random, RandomSide(random), RandomSide(random), channels);
    ImageForTest expected = to;
    for (int y = 0; y < to.layout.height; ++y) {
      for (int x = 0; x < to.layout.width; ++x) {
        const Neighbours h =
            NeighboursOf(x, from.layout.width, to.layout.width);
        const Neighbours v =
            NeighboursOf(y, from.layout.height, to.layout.height);
        for (int c = 0; c < channels; ++c) {
          const std::int64_t sum =
              from.pixel(h.first, v.first)[c] * (2048 - h.weight) *
                  (2048 - v.weight) +
              from.pixel(h.second, v.first)[c] * h.weight * (2048 - v.weight) +
              from.pixel(h.first, v.second)[c] * (2048 - h.weight) * v.weight +
              from.pixel(h.second, v.second)[c] * h.weight * v.weight;
          expected.pixel(x, y)[c] = static_cast<std::uint8_t>(
              std::floor(static_cast<double>(sum) / (2048.0 * 2048) + 0.5));
        }
      }
    }
    ResizeAndCompare(from, to, Interpolation::kBilinear, expected);
  }
}

TEST(ResizeTest, TheSameSizeIsACopy) {
  std::mt19937 random(3);
  for (Interpolation interpolation :
       {Interpolation::kNearest, Interpolation::kBilinear}) {
    const ImageForTest from = RandomImage(random, 31, 17, 3);
    ImageForTest to = RandomImage(random, 31, 17, 3);
    RunPlan(*PlanResize(from.placed(), to.placed(), interpolation),
            {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    for (int y = 0; y < 17; ++y) {
      EXPECT_TRUE(
          std::equal(from.pixel(0, y), from.pixel(0, y) + 93, to.pixel(0, y)));
    }
  }
}

TEST(ResizeTest, LongRowsStayInside) {
  std::mt19937 random(4);
  for (auto [a, b] :
       {std::pair(1 << 20, 1), std::pair(1, 1 << 20),
        std::pair((1 << 20) - 1, 1 << 20), std::pair(1 << 20, 999'983)}) {
    const ImageForTest from = RandomImage(random, a, 1, 1);
    ImageForTest to = RandomImage(random, b, 1, 1);
    RunPlan(*PlanResize(from.placed(), to.placed(), Interpolation::kNearest),
            {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    for (std::int64_t x : {0, b / 3, b / 2, b - 1}) {
      EXPECT_EQ(*to.pixel(static_cast<int>(x), 0),
                *from.pixel(static_cast<int>((2 * x + 1) * a / (2 * b)), 0))
          << a << " to " << b << " at " << x;
    }
    RunPlan(*PlanResize(from.placed(), to.placed(), Interpolation::kBilinear),
            {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    if (b > a) {
      EXPECT_EQ(*to.pixel(0, 0), *from.pixel(0, 0));
      EXPECT_EQ(*to.pixel(b - 1, 0), *from.pixel(a - 1, 0));
    }
  }
}

// --- Threshold

TEST(ThresholdTest, EachChannelIsComparedByItself) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const int channels = 1 + static_cast<int>(random() % 4);
    const int width = RandomSide(random);
    const int height = RandomSide(random);
    const ImageForTest from = RandomImage(random, width, height, channels);
    ImageForTest to = RandomImage(random, width, height, channels);
    ImageForTest expected = to;
    const std::uint8_t threshold = static_cast<std::uint8_t>(random());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) {
          expected.pixel(x, y)[c] = from.pixel(x, y)[c] > threshold ? 200 : 10;
        }
      }
    }
    const auto plan =
        PlanThreshold(from.placed(), to.placed(), threshold, 200, 10);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    EXPECT_EQ(to.bytes, expected.bytes);
  }
}

// --- Edges

int GradientAt(const ImageForTest& image, int x, int y,
               const int (&weights)[3][3]) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += weights[dy + 1][dx + 1] *
             *image.pixel(std::clamp(x + dx, 0, image.layout.width - 1),
                          std::clamp(y + dy, 0, image.layout.height - 1));
    }
  }
  return sum;
}

TEST(EdgesTest, TheMagnitudeIsThatOfSobel) {
  constexpr int kX[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  constexpr int kY[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  std::mt19937 random(6);
  for (int round = 0; round < 100; ++round) {
    const int width = RandomSide(random);
    const int height = RandomSide(random);
    ImageForTest from = RandomImage(random, width, height, 1);
    // Weak edges, too: most of random bytes are stronger than 255.
    const int strength = 1 + static_cast<int>(random() % 255);
    for (std::uint8_t& byte : from.bytes) {
      byte = static_cast<std::uint8_t>(byte * strength / 255);
    }
    ImageForTest to = RandomImage(random, width, height, 1);
    ImageForTest expected = to;
    const bool sum_of_sides = random() % 2 == 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int gx = GradientAt(from, x, y, kX);
        const int gy = GradientAt(from, x, y, kY);
        const int magnitude =
            sum_of_sides ? std::abs(gx) + std::abs(gy)
                         : static_cast<int>(std::floor(std::sqrt(
                               static_cast<double>(gx * gx + gy * gy))));
        *expected.pixel(x, y) =
            static_cast<std::uint8_t>(std::min(magnitude, 255));
      }
    }
    const auto plan = PlanEdges(from.placed(), to.placed(), sum_of_sides);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    EXPECT_EQ(to.bytes, expected.bytes);
  }
}

TEST(EdgesTest, TheRootOfAFloatIsTheRootOfTheInteger) {
  // What the kernel relies on.
  for (int root = 1; root <= 1443; ++root) {
    EXPECT_EQ(static_cast<int>(std::sqrt(static_cast<float>(root * root))),
              root);
    EXPECT_EQ(static_cast<int>(std::sqrt(static_cast<float>(root * root - 1))),
              root - 1);
  }
}

// --- Boxes

OverlayBox RandomBox(std::mt19937& random) {
  const auto near = [&random] {
    return static_cast<std::int32_t>(random() % 120) - 30;
  };
  OverlayBox box = {
      .left = near(),
      .top = near(),
      .right = near(),
      .bottom = near(),
      .thickness = static_cast<std::int32_t>(random() % 5),
      .opacity = static_cast<std::uint8_t>(random() % 2 == 0 ? 255 : random())};
  for (std::uint8_t& color : box.color) {
    color = static_cast<std::uint8_t>(random());
  }
  return box;
}

void DrawPlainly(const OverlayBox& box, ImageForTest& image) {
  const std::int64_t t = box.thickness;
  for (int y = 0; y < image.layout.height; ++y) {
    for (int x = 0; x < image.layout.width; ++x) {
      const bool is_inside =
          x >= box.left && x < box.right && y >= box.top && y < box.bottom;
      const bool is_within_frame = x >= box.left + t && x < box.right - t &&
                                   y >= box.top + t && y < box.bottom - t;
      if (!is_inside || (t > 0 && is_within_frame)) continue;
      for (int c = 0; c < image.layout.channels; ++c) {
        std::uint8_t& value = image.pixel(x, y)[c];
        value = static_cast<std::uint8_t>(
            std::lround((box.color[c] * double(box.opacity) +
                         value * (255.0 - box.opacity)) /
                        255));
      }
    }
  }
}

TEST(OverlayBoxesTest, BoxesAreDrawnInTheirOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    ImageForTest image =
        RandomImage(random, RandomSide(random), RandomSide(random),
                    1 + static_cast<int>(random() % 4));
    std::vector<OverlayBox> boxes(random() % 6);
    ImageForTest expected = image;
    for (OverlayBox& box : boxes) {
      box = RandomBox(random);
      DrawPlainly(box, expected);
    }
    const auto plan = PlanOverlayBoxes(image.placed(), boxes.size(),
                                       boxes.size() * sizeof(OverlayBox));
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {WritesTo(image.bytes), ReadsFrom(boxes)});
    EXPECT_EQ(image.bytes, expected.bytes);
  }
}

TEST(OverlayBoxesTest, ABoxMayReachAsFarAsNumbersDo) {
  std::mt19937 random(8);
  ImageForTest image = RandomImage(random, 20, 10, 3);
  ImageForTest expected = image;
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::vector<OverlayBox> boxes = {
      {.left = kLeast, .top = 4, .right = kMost, .bottom = 6, .thickness = 1},
      {.left = kLeast,
       .top = kLeast,
       .right = kMost,
       .bottom = kMost,
       .thickness = 5},
      {.left = 3,
       .top = kLeast,
       .right = 5,
       .bottom = kMost,
       .thickness = kMost}};
  for (const OverlayBox& box : boxes) DrawPlainly(box, expected);
  RunPlan(*PlanOverlayBoxes(image.placed(), 3, 3 * sizeof(OverlayBox)),
          {WritesTo(image.bytes), ReadsFrom(boxes)});
  EXPECT_EQ(image.bytes, expected.bytes);
}

}  // namespace
}  // namespace syncline::gpu
