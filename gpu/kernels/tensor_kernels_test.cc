// The kernels of tensors against plainly written loops.

#include "gpu/kernels/tensor_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/run_kernel.h"
#include "gpu/kernels/tensor_plan.h"
#include "gpu/reduction_parts.h"

namespace syncline::gpu {
namespace {

// --- Between images and tensors

std::vector<float> RandomFloats(std::mt19937& random, std::size_t count,
                                float least, float most) {
  std::uniform_real_distribution<float> values(least, most);
  std::vector<float> floats(count);
  for (float& value : floats) value = values(random);
  return floats;
}

std::size_t TensorIndex(TensorOrder order, const ImageLayout& image, int x,
                        int y, int c) {
  return order == TensorOrder::kHwc
             ? (std::size_t(y) * image.width + x) * image.channels + c
             : (std::size_t(c) * image.height + y) * image.width + x;
}

TEST(NormalizeTest, EachByteBecomesAFloat) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const int channels = 1 + static_cast<int>(random() % 4);
    const ImageForTest image =
        RandomImage(random, RandomSide(random), RandomSide(random), channels);
    const ImageLayout& layout = image.layout;
    const TensorOrder order =
        random() % 2 == 0 ? TensorOrder::kHwc : TensorOrder::kChw;
    const std::vector<float> mean = RandomFloats(random, channels, -10, 200);
    const std::vector<float> scale = RandomFloats(random, channels, 0.001, 3);
    std::vector<float> tensor(std::size_t(layout.width) * layout.height *
                              channels);
    std::vector<float> expected = tensor;
    for (int y = 0; y < layout.height; ++y) {
      for (int x = 0; x < layout.width; ++x) {
        for (int c = 0; c < channels; ++c) {
          const float shifted = image.pixel(x, y)[c] - mean[c];
          expected[TensorIndex(order, layout, x, y, c)] = shifted * scale[c];
        }
      }
    }
    const auto plan = PlanNormalize(image.placed(), order,
                                    tensor.size() * sizeof(float), mean, scale);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(image.bytes), WritesTo(tensor)});
    EXPECT_EQ(tensor, expected);
  }
}

TEST(NormalizeTest, TheWayBackGivesTheImage) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const int channels = 1 + static_cast<int>(random() % 4);
    const ImageForTest image =
        RandomImage(random, RandomSide(random), RandomSide(random), channels);
    ImageForTest back = image;
    for (int y = 0; y < image.layout.height; ++y) {
      std::fill_n(back.pixel(0, y), image.layout.width * channels, 0);
    }
    std::vector<float> tensor(std::size_t(image.layout.width) *
                              image.layout.height * channels);
    const std::size_t bytes = tensor.size() * sizeof(float);
    const TensorOrder order =
        random() % 2 == 0 ? TensorOrder::kHwc : TensorOrder::kChw;
    const std::vector<float> mean = RandomFloats(random, channels, 0, 255);
    const std::vector<float> scale = RandomFloats(random, channels, 0.003, 2);
    RunPlan(*PlanNormalize(image.placed(), order, bytes, mean, scale),
            {ReadsFrom(image.bytes), WritesTo(tensor)});
    RunPlan(*PlanDenormalize(order, bytes, back.placed(), mean, scale),
            {ReadsFrom(tensor), WritesTo(back.bytes)});
    EXPECT_EQ(back.bytes, image.bytes);
  }
}

TEST(NormalizeTest, FloatsBeyondBytesAreCutOff) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> tensor = {
      -kInfinity, -1,
      -0.0f,      0.49f,
      0.5f,       254.4f,
      254.5f,     1e30f,
      kInfinity,  std::numeric_limits<float>::quiet_NaN()};
  std::vector<std::uint8_t> bytes(10);
  RunPlan(*PlanDenormalize(
              TensorOrder::kHwc, 40,
              {{.width = 10, .height = 1, .channels = 1, .pitch = 10}, 10}, {0},
              {1}),
          {ReadsFrom(tensor), WritesTo(bytes)});
  EXPECT_EQ(bytes,
            (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 254, 255, 255, 255, 0}));
}

// --- Strided copies

// A random placing of a shape: dimensions in any order, with gaps, some of them
// backwards.
StridedTensor RandomPlacing(std::mt19937& random,
                            const std::vector<std::int64_t>& shape,
                            int element_bytes) {
  StridedTensor tensor;
  tensor.strides.resize(shape.size());
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::int64_t length = 1;
  tensor.offset = static_cast<std::int64_t>(random() % 3);
  for (std::size_t d : order) {
    tensor.strides[d] = length;
    length *= std::max<std::int64_t>(shape[d], 1);
    if (random() % 3 == 0) length += random() % 3;
    if (random() % 4 == 0) {
      tensor.offset +=
          tensor.strides[d] * std::max<std::int64_t>(shape[d] - 1, 0);
      tensor.strides[d] = -tensor.strides[d];
    }
  }
  std::int64_t last = tensor.offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    last += std::max<std::int64_t>(tensor.strides[d], 0) *
            std::max<std::int64_t>(shape[d] - 1, 0);
  }
  tensor.buffer_bytes = static_cast<std::size_t>(last + 1) * element_bytes;
  return tensor;
}

void CopyPlainly(const std::vector<std::int64_t>& shape, std::size_t dimension,
                 const StridedTensor& from, std::int64_t from_place,
                 const StridedTensor& to, std::int64_t to_place,
                 int element_bytes, const std::vector<std::uint64_t>& in,
                 std::vector<std::uint64_t>& out) {
  if (dimension == shape.size()) {
    const auto* source = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* target = reinterpret_cast<std::uint8_t*>(out.data());
    std::copy_n(source + from_place * element_bytes, element_bytes,
                target + to_place * element_bytes);
    return;
  }
  for (std::int64_t i = 0; i < shape[dimension]; ++i) {
    CopyPlainly(shape, dimension + 1, from,
                from_place + i * from.strides[dimension], to,
                to_place + i * to.strides[dimension], element_bytes, in, out);
  }
}

// Words, so that any element is aligned.
std::vector<std::uint64_t> RandomWords(std::mt19937& random,
                                       std::size_t bytes) {
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  for (std::uint64_t& word : words) {
    word = std::uint64_t{random()} << 32 | random();
  }
  return words;
}

TEST(StridedCopyTest, AnyPlacingBecomesAnyOther) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const int element_bytes = 1 << (random() % 4);
    std::vector<std::int64_t> shape(random() % 6);
    for (std::int64_t& length : shape) {
      length = random() % 20 == 0 ? 0 : 1 + random() % 5;
    }
    const StridedTensor from = RandomPlacing(random, shape, element_bytes);
    const StridedTensor to = RandomPlacing(random, shape, element_bytes);
    const std::vector<std::uint64_t> in =
        RandomWords(random, from.buffer_bytes);
    std::vector<std::uint64_t> out = RandomWords(random, to.buffer_bytes);
    std::vector<std::uint64_t> expected = out;
    CopyPlainly(shape, 0, from, from.offset, to, to.offset, element_bytes, in,
                expected);
    const auto plan = PlanStridedCopy(element_bytes, shape, from, to);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(in), WritesTo(out)});
    EXPECT_EQ(out, expected);
  }
}

TEST(StridedCopyTest, AStrideOfZeroRepeatsTheInput) {
  const std::vector<std::uint32_t> in = {7, 8};
  std::vector<std::uint32_t> out(6);
  RunPlan(*PlanStridedCopy(4, {3, 2}, {.strides = {0, 1}, .buffer_bytes = 8},
                           {.strides = {2, 1}, .buffer_bytes = 24}),
          {ReadsFrom(in), WritesTo(out)});
  EXPECT_EQ(out, (std::vector<std::uint32_t>{7, 8, 7, 8, 7, 8}));
}

// --- Statistics

template <typename T>
Statistics StatisticsOfRows(const std::vector<T>& values, std::int64_t rows,
                            std::int64_t row_length, std::int64_t pitch,
                            std::int64_t offset) {
  std::vector<StatisticsPart> parts(kMaxReductionParts);
  std::vector<Statistics> result(1);
  const auto plan = PlanStatistics(
      sizeof(T) == 1 ? StatisticsElement::kByte : StatisticsElement::kFloat,
      rows, row_length, pitch, offset, values.size() * sizeof(T),
      parts.size() * sizeof(StatisticsPart), sizeof(Statistics));
  EXPECT_TRUE(plan.ok()) << plan.status();
  if (plan.ok()) {
    RunPlan(*plan, {ReadsFrom(values), WritesTo(parts), WritesTo(result)});
  }
  return result[0];
}

TEST(StatisticsTest, BytesAreCountedExactly) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const int side = round % 10 == 0 ? 2000 : 1;
    const ImageForTest image =
        RandomImage(random, RandomSide(random) + side - 1,
                    RandomSide(random) + side / 8, 1);
    const ImageLayout& layout = image.layout;
    std::int64_t sum = 0;
    int least = 255;
    int greatest = 0;
    for (int y = 0; y < layout.height; ++y) {
      for (int x = 0; x < layout.width; ++x) {
        sum += *image.pixel(x, y);
        least = std::min<int>(least, *image.pixel(x, y));
        greatest = std::max<int>(greatest, *image.pixel(x, y));
      }
    }
    const std::int64_t count = std::int64_t{layout.width} * layout.height;
    const Statistics result = StatisticsOfRows(
        image.bytes, layout.height, layout.width, layout.pitch, layout.offset);
    EXPECT_EQ(result.sum, static_cast<double>(sum));
    EXPECT_EQ(
        result.mean,
        count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count));
    EXPECT_EQ(result.least, count == 0 ? 0 : least);
    EXPECT_EQ(result.greatest, greatest);
  }
}

TEST(StatisticsTest, FloatsAreAddedAsDoubles) {
  std::mt19937 random(5);
  for (std::size_t count : {1, 2, 255, 256, 257, 5000, 300'000, 2'500'000}) {
    const std::vector<float> values = RandomFloats(random, count, -100, 100);
    const Statistics result =
        StatisticsOfRows(values, 1, static_cast<std::int64_t>(count), count, 0);
    long double sum = 0;
    for (float value : values) sum += value;
    EXPECT_NEAR(result.sum, static_cast<double>(sum), 1e-7);
    EXPECT_EQ(result.mean, result.sum / static_cast<double>(count));
    EXPECT_EQ(result.least, *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(result.greatest, *std::max_element(values.begin(), values.end()));
  }
}

TEST(StatisticsTest, InfinitiesAreNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Statistics result =
      StatisticsOfRows<float>({1, kInfinity, 3}, 1, 3, 3, 0);
  EXPECT_EQ(result.sum, kInfinity);
  EXPECT_EQ(result.least, 1);
  EXPECT_EQ(result.greatest, kInfinity);
}

TEST(StatisticsTest, ANanIsNeitherLeastNorGreatest) {
  if (CanCompareWithCuda().ok()) GTEST_SKIP() << "the bits of a NaN may differ";
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Statistics some =
      StatisticsOfRows<float>({nan, 2, nan, -3}, 1, 4, 4, 0);
  EXPECT_TRUE(std::isnan(some.sum));
  EXPECT_EQ(some.least, -3);
  EXPECT_EQ(some.greatest, 2);
  const Statistics none = StatisticsOfRows<float>({nan}, 1, 1, 1, 0);
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_EQ(none.least, std::numeric_limits<double>::infinity());
  EXPECT_EQ(none.greatest, -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace syncline::gpu
