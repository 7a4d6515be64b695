// RunKernel, for tests of kernels: runs the form for the host and, where there
// is a CUDA device, the form for CUDA on copies of the same buffers, and
// expects that both leave the same bytes in all of them.
//
// Thread rule: one thread.

#ifndef SYNCLINE_GPU_KERNELS_RUN_KERNEL_H_
#define SYNCLINE_GPU_KERNELS_RUN_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gpu/kernel.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

// Whether RunKernel() compares; else why not.
absl::Status CanCompareWithCuda();

void RunKernel(const Kernel& kernel, const KernelLaunch& launch);

template <typename T>
KernelBuffer ReadsFrom(const std::vector<T>& values) {
  return {const_cast<T*>(values.data()), values.size() * sizeof(T), false};
}

template <typename T>
KernelBuffer WritesTo(std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T), true};
}

template <typename Parameters>
void RunPlan(const LaunchPlan<Parameters>& plan,
             const std::vector<KernelBuffer>& buffers) {
  RunKernel(*plan.kernel, {.count = plan.count,
                           .buffers = buffers.data(),
                           .num_buffers = static_cast<int>(buffers.size()),
                           .parameters = &plan.parameters,
                           .parameters_size = sizeof(Parameters)});
}

// An image of random bytes at a random place of a buffer that ends with it.
struct ImageForTest {
  ImageLayout layout;
  std::vector<std::uint8_t> bytes;

  PlacedImage placed() const { return {layout, bytes.size()}; }
  const std::uint8_t* pixel(int x, int y) const {
    return bytes.data() + layout.offset + y * layout.pitch +
           std::int64_t{x} * layout.channels;
  }
  std::uint8_t* pixel(int x, int y) {
    return const_cast<std::uint8_t*>(std::as_const(*this).pixel(x, y));
  }
};

ImageForTest RandomImage(std::mt19937& random, int width, int height,
                         int channels);

// Sides of images: small ones, odd ones, and 0.
int RandomSide(std::mt19937& random);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_RUN_KERNEL_H_
