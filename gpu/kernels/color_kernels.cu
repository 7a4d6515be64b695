// The kernels of color_kernels.h, in integers.

#include <cstdint>

#include "gpu/element_kernel.h"
#include "gpu/kernels/color_kernels.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/pixels.h"

namespace syncline::gpu {
// Named: nvcc makes the name of an unnamed one of the folder that it works in,
// and two builds would differ.
namespace color_kernels {

struct Color {
  std::int32_t red;
  std::int32_t green;
  std::int32_t blue;
  std::int32_t alpha;
};

SYNCLINE_DEVICE_FUNCTION void WriteColor(const Color& color,
                                         const ChannelOrder& order,
                                         std::uint8_t* pixel, bool is_gray) {
  if (is_gray) {
    pixel[0] =
        static_cast<std::uint8_t>((9798 * color.red + 19235 * color.green +
                                   3735 * color.blue + (1 << 14)) >>
                                  15);
    return;
  }
  pixel[order.red] = static_cast<std::uint8_t>(color.red);
  pixel[order.green] = static_cast<std::uint8_t>(color.green);
  pixel[order.blue] = static_cast<std::uint8_t>(color.blue);
  if (order.alpha >= 0) {
    pixel[order.alpha] = static_cast<std::uint8_t>(color.alpha);
  }
}

SYNCLINE_DEVICE_FUNCTION void ConvertColor(
    std::int64_t i, const ConvertColorParameters& parameters,
    Elements<const std::uint8_t> in, Elements<std::uint8_t> out) {
  const ChannelOrder& order = parameters.from_order;
  const PixelPlace place = PixelOf(i, parameters.to.width);
  const std::uint8_t* pixel =
      in.data + ByteOf(parameters.from, place.x, place.y);
  WriteColor({pixel[order.red], pixel[order.green], pixel[order.blue],
              order.alpha < 0 ? 255 : pixel[order.alpha]},
             parameters.to_order,
             out.data + ByteOf(parameters.to, place.x, place.y),
             parameters.to.channels == 1);
}

// From 2^16ths to a byte. Shifting a negative number rounds down, in C++20 and
// on devices.
SYNCLINE_DEVICE_FUNCTION std::int32_t Rounded(std::int32_t value) {
  return ClampTo((value + (1 << 15)) >> 16, 0, 255);
}

SYNCLINE_DEVICE_FUNCTION void YuvToColor(std::int64_t i,
                                         const YuvToColorParameters& parameters,
                                         Elements<const std::uint8_t> in,
                                         Elements<std::uint8_t> out) {
  const YuvLayout& from = parameters.from;
  const YuvCoefficients& by = parameters.coefficients;
  const PixelPlace place = PixelOf(i, parameters.to.width);
  const std::int64_t chroma =
      (place.y / 2) * from.chroma_pitch + (place.x / 2) * from.chroma_step;
  const std::int32_t luma =
      by.luma *
      (in[from.y_offset + place.y * from.y_pitch + place.x] - by.black);
  const std::int32_t u = in[from.u_offset + chroma] - 128;
  const std::int32_t v = in[from.v_offset + chroma] - 128;
  WriteColor({Rounded(luma + by.red_of_v * v),
              Rounded(luma + by.green_of_u * u + by.green_of_v * v),
              Rounded(luma + by.blue_of_u * u), 255},
             parameters.to_order,
             out.data + ByteOf(parameters.to, place.x, place.y),
             parameters.to.channels == 1);
}

}  // namespace color_kernels

using namespace color_kernels;  // NOLINT(build/namespaces)

SYNCLINE_ELEMENT_KERNEL(kConvertColor, ConvertColor);
SYNCLINE_ELEMENT_KERNEL(kYuvToColor, YuvToColor);

}  // namespace syncline::gpu
