// Reductions on the host, for numbers of elements around the sizes of lanes and
// parts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "gpu/kernel.h"
#include "gpu/kernels_for_tests.h"
#include "gpu/reduction_parts.h"

namespace syncline::gpu {
namespace {

template <typename Element, typename Value, typename Result>
Result ReduceForTest(const Kernel& kernel, const std::vector<Element>& in) {
  std::vector<std::byte> parts(ReductionPartsBytes<Value>());
  Result result{};
  const KernelBuffer buffers[] = {
      {const_cast<Element*>(in.data()), in.size() * sizeof(Element), false},
      {parts.data(), parts.size(), true},
      {&result, sizeof(result), true}};
  const KernelLaunch launch = {.count = static_cast<std::int64_t>(in.size()),
                               .buffers = buffers,
                               .num_buffers = 3};
  EXPECT_EQ(kernel.why_not(launch), nullptr);
  kernel.stand_in(launch);
  return result;
}

// The order that the header describes, written in another way: by lists of
// lists.
float SumAsDescribed(const std::vector<float>& in) {
  const auto pair = [](std::vector<float> lanes) {
    for (std::size_t half = 128; half > 0; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
    }
    return lanes[0];
  };
  const std::size_t count = in.size();
  const std::size_t parts =
      std::clamp<std::size_t>((count + 2047) / 2048, 1, 1024);
  std::size_t length = (count + parts - 1) / parts;
  length = (length + 255) / 256 * 256;
  std::vector<float> lanes_of_parts(256);
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<float> lanes(256);
    for (std::size_t i = part * length;
         i < std::min(count, (part + 1) * length); ++i) {
      lanes[i % 256] += in[i];
    }
    lanes_of_parts[part % 256] += pair(lanes);
  }
  return pair(lanes_of_parts);
}

TEST(ReductionKernelTest, EachElementCountsOnce) {
  for (std::int64_t count :
       {0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 2303, 100'000, 524'288,
        524'289, 2'097'152, 2'097'153, 3'000'001}) {
    const IndexesForTests all =
        ReduceForTest<std::uint8_t, IndexesForTests, IndexesForTests>(
            kIndexesForTests, std::vector<std::uint8_t>(count));
    EXPECT_EQ(all.number, count);
    EXPECT_EQ(all.sum, count * (count - 1) / 2);
    EXPECT_EQ(all.greatest, count - 1);
  }
}

TEST(ReductionKernelTest, TheOrderIsTheOneDescribed) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1000, 1000);
  for (std::size_t count : {0, 1, 300, 2048, 2049, 7000, 2'500'000}) {
    std::vector<float> in(count);
    for (float& value : in) value = values(random);
    EXPECT_EQ((ReduceForTest<float, float, float>(kSumForTests, in)),
              SumAsDescribed(in))
        << count;
  }
}

TEST(ReductionKernelTest, TheBuffersHaveToBeLargeEnough) {
  const std::vector<float> in(5000);
  std::vector<float> parts(3);
  float result = 0;
  KernelBuffer buffers[] = {
      {const_cast<float*>(in.data()), in.size() * sizeof(float), false},
      {parts.data(), 3 * sizeof(float), true},
      {&result, sizeof(result), true}};
  const KernelLaunch launch = {
      .count = 5000, .buffers = buffers, .num_buffers = 3};
  EXPECT_EQ(kSumForTests.why_not(launch), nullptr);
  buffers[1].size -= 1;
  EXPECT_STREQ(kSumForTests.why_not(launch),
               "its second buffer is too small for the parts of a reduction");
  buffers[1].size += 1;
  buffers[2].size = 3;
  EXPECT_STREQ(kSumForTests.why_not(launch),
               "its third buffer is too small for the result");
}

}  // namespace
}  // namespace syncline::gpu
