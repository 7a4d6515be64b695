// Kernels that change the colours of images. color_plan.h plans their launches.
//
// Thread rule: constants.
// Tested by color_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_COLOR_KERNELS_H_
#define SYNCLINE_GPU_KERNELS_COLOR_KERNELS_H_

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

// At which byte of a pixel a colour is. A gray pixel has all three at 0.
struct ChannelOrder {
  std::int8_t red = 0;
  std::int8_t green = 0;
  std::int8_t blue = 0;
  std::int8_t alpha = -1;  // none
};

struct ConvertColorParameters {
  ImageLayout from;
  ImageLayout to;
  ChannelOrder from_order;
  ChannelOrder to_order;
};

// Reads the image `from`, writes `to`. One element is a pixel. Gray is
// (9798 red + 19235 green + 3735 blue) / 2^15, rounded; alpha is 255 where the
// source has none.
extern const Kernel kConvertColor;

// red   = luma * (y - black)                   + red_of_v * (v - 128), ...
// all times 2^16.
struct YuvCoefficients {
  std::int32_t black = 0;
  std::int32_t luma = 0;
  std::int32_t red_of_v = 0;
  std::int32_t green_of_u = 0;
  std::int32_t green_of_v = 0;
  std::int32_t blue_of_u = 0;
};

// Planes of one buffer. The planes of u and v have a sample for 2 x 2 pixels,
// `chroma_step` bytes from the next.
struct YuvLayout {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int64_t y_offset = 0;
  std::int64_t u_offset = 0;
  std::int64_t v_offset = 0;
  std::int64_t y_pitch = 0;
  std::int64_t chroma_pitch = 0;
  std::int32_t chroma_step = 1;
};

struct YuvToColorParameters {
  YuvLayout from;
  ImageLayout to;
  ChannelOrder to_order;
  YuvCoefficients coefficients;
};

// Reads the planes, writes the image. One element is a pixel.
extern const Kernel kYuvToColor;

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_COLOR_KERNELS_H_
