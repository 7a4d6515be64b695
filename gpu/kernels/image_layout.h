// Where images lie in buffers, as parameters of kernels and as their plans take
// them.
//
// Read by nvcc, too.
//
// Thread rule: plain values.
// Tested by image_plan_test.

#ifndef SYNCLINE_GPU_KERNELS_IMAGE_LAYOUT_H_
#define SYNCLINE_GPU_KERNELS_IMAGE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"

namespace syncline::gpu {

// An image of bytes: `height` rows, each of `width` pixels of `channels` bytes.
// Row y begins at byte offset + y * pitch of the buffer.
struct ImageLayout {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t channels = 1;
  std::int64_t pitch = 0;
  std::int64_t offset = 0;
};

// The layout and the size of the buffer that a launch will declare for it.
struct PlacedImage {
  ImageLayout layout;
  std::size_t buffer_bytes = 0;
};

// What a plan makes: how to launch which kernel. The buffers have to be at
// least as large as the plan was told.
template <typename Parameters>
struct LaunchPlan {
  const Kernel* kernel = nullptr;
  std::int64_t count = 0;
  Parameters parameters;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_IMAGE_LAYOUT_H_
