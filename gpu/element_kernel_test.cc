// The forms for the host of kernels that are functions of one element, and what
// a launch has to fit.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/kernel.h"
#include "gpu/kernels_for_tests.h"

namespace syncline::gpu {
namespace {

template <typename T>
KernelBuffer ReadsElements(const std::vector<T>& values) {
  return {const_cast<T*>(values.data()), values.size() * sizeof(T), false};
}

template <typename T>
KernelBuffer WritesElements(std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T), true};
}

KernelLaunch LaunchOfElements(std::int64_t count,
                              const std::vector<KernelBuffer>& buffers) {
  return {.count = count,
          .buffers = buffers.data(),
          .num_buffers = static_cast<int>(buffers.size())};
}

TEST(ElementKernelTest, TheFunctionIsCalledForEachElement) {
  const std::vector<float> in = {1, 2, 3};
  std::vector<float> out = {0, 0, 0};
  const ScaleForTestsParameters parameters = {.factor = 3, .addend = 0.5};
  const std::vector<KernelBuffer> buffers = {ReadsElements(in),
                                             WritesElements(out)};
  KernelLaunch launch = LaunchOfElements(2, buffers);
  launch.parameters = &parameters;
  launch.parameters_size = sizeof(parameters);
  ASSERT_EQ(kScaleForTests.why_not(launch), nullptr);
  kScaleForTests.stand_in(launch);
  EXPECT_EQ(out, (std::vector<float>{3.5, 6.5, 0}));
}

TEST(ElementKernelTest, AKernelMayHaveNoParameters) {
  std::vector<std::int32_t> values = {4, 5};
  const std::vector<KernelBuffer> buffers = {WritesElements(values)};
  kCountUpForTests.stand_in(LaunchOfElements(2, buffers));
  EXPECT_EQ(values, (std::vector<std::int32_t>{5, 6}));
}

TEST(ElementKernelTest, ATemplateIsNamedAsItIsWritten) {
  EXPECT_STREQ(kScaleForTests.name, "Scale");
  EXPECT_STREQ(kWidenForTests.name, "Convert<std::uint8_t, double>");
  const std::vector<std::uint8_t> in = {7, 255};
  std::vector<double> out(2);
  const std::vector<KernelBuffer> buffers = {ReadsElements(in),
                                             WritesElements(out)};
  kWidenForTests.stand_in(LaunchOfElements(2, buffers));
  EXPECT_EQ(out, (std::vector<double>{7, 255}));
}

TEST(ElementKernelTest, NoElementsAreNoWork) {
  const std::vector<KernelBuffer> buffers = {{nullptr, 0, true}};
  kCountUpForTests.stand_in(LaunchOfElements(0, buffers));
}

TEST(ElementKernelTest, AMultiplicationAndAnAdditionRoundTwice) {
  // (1 + 2^-12)^2 - 1 is 2^-11 + 2^-24; the product alone loses the last part.
  const std::vector<float> in = {1 + 0x1p-12f};
  std::vector<float> out = {0};
  const ScaleForTestsParameters parameters = {.factor = 1 + 0x1p-12f,
                                              .addend = -1};
  const std::vector<KernelBuffer> buffers = {ReadsElements(in),
                                             WritesElements(out)};
  KernelLaunch launch = LaunchOfElements(1, buffers);
  launch.parameters = &parameters;
  launch.parameters_size = sizeof(parameters);
  kScaleForTests.stand_in(launch);
  EXPECT_EQ(out[0], 0x1p-11f);
}

TEST(ElementKernelTest, ALaunchHasToFitTheFunction) {
  const std::vector<float> in = {1, 2, 3};
  std::vector<float> out = {0, 0, 0};
  const ScaleForTestsParameters parameters;
  const std::vector<KernelBuffer> right = {ReadsElements(in),
                                           WritesElements(out)};
  KernelLaunch launch = LaunchOfElements(3, right);
  launch.parameters = &parameters;
  launch.parameters_size = sizeof(parameters);
  EXPECT_EQ(kScaleForTests.why_not(launch), nullptr);

  KernelLaunch wrong = launch;
  wrong.count = -1;
  EXPECT_STREQ(kScaleForTests.why_not(wrong), "its count is negative");
  wrong = launch;
  wrong.num_buffers = 1;
  EXPECT_STREQ(kScaleForTests.why_not(wrong),
               "it declares more or fewer buffers than the kernel takes");
  wrong = launch;
  wrong.parameters_size = 4;
  EXPECT_STREQ(kScaleForTests.why_not(wrong),
               "its parameters are of another size than the kernel's struct");
  const std::vector<KernelBuffer> read_only = {ReadsElements(in),
                                               ReadsElements(out)};
  wrong = launch;
  wrong.buffers = read_only.data();
  EXPECT_STREQ(kScaleForTests.why_not(wrong),
               "it declares a buffer as read that the kernel writes");
  std::vector<KernelBuffer> shifted = right;
  shifted[0].data = static_cast<std::byte*>(shifted[0].data) + 1;
  wrong.buffers = shifted.data();
  EXPECT_STREQ(kScaleForTests.why_not(wrong),
               "one of its buffers is not aligned for the kernel's elements");
}

TEST(ElementKernelDeathTest, AFormThatIsCalledWithoutADriverChecksToo) {
  EXPECT_DEATH(kCountUpForTests.stand_in(LaunchOfElements(1, {})),
               "cannot be launched so: it declares more or fewer buffers");
}

}  // namespace
}  // namespace syncline::gpu
