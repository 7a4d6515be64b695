// What kernels of images share: from an element to its pixel, and from a pixel
// to its byte. For .cu files.
//
// Thread rule: pure functions.
// Tested by image_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_PIXELS_H_
#define SYNCLINE_GPU_KERNELS_PIXELS_H_

#include <cstdint>

#include "gpu/kernel_function.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

struct PixelPlace {
  std::int32_t x;
  std::int32_t y;
};

// Of the i-th pixel, row by row. Plans allow less than 2^31 pixels, since a
// device divides 32 bits several times as fast as 64.
SYNCLINE_DEVICE_FUNCTION PixelPlace PixelOf(std::int64_t i,
                                            std::int32_t width) {
  const std::uint32_t number = static_cast<std::uint32_t>(i);
  const std::uint32_t y = number / static_cast<std::uint32_t>(width);
  return {
      static_cast<std::int32_t>(number - y * static_cast<std::uint32_t>(width)),
      static_cast<std::int32_t>(y)};
}

SYNCLINE_DEVICE_FUNCTION std::int64_t ByteOf(const ImageLayout& image,
                                             std::int32_t x, std::int32_t y) {
  return image.offset + y * image.pitch +
         static_cast<std::int64_t>(x) * image.channels;
}

SYNCLINE_DEVICE_FUNCTION std::int32_t ClampTo(std::int32_t value,
                                              std::int32_t least,
                                              std::int32_t most) {
  return value < least ? least : value > most ? most : value;
}

SYNCLINE_DEVICE_FUNCTION std::uint8_t ClampToByte(std::int32_t value) {
  return static_cast<std::uint8_t>(ClampTo(value, 0, 255));
}

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_PIXELS_H_
