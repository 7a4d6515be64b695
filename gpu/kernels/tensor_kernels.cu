// The kernels of tensor_kernels.h.

#include <cstdint>
#include <limits>

#include "gpu/element_kernel.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/pixels.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/reduction_kernel.h"

namespace syncline::gpu {
// Named: nvcc makes the name of an unnamed one of the folder that it works in,
// and two builds would differ.
namespace tensor_kernels {

// --- Between images and tensors

SYNCLINE_DEVICE_FUNCTION void Normalize(std::int64_t i,
                                        const NormalizeParameters& parameters,
                                        Elements<const std::uint8_t> image,
                                        Elements<float> tensor) {
  const PixelPlace place = PixelOf(i, parameters.image.width);
  const std::uint8_t* pixel =
      image.data + ByteOf(parameters.image, place.x, place.y);
  float* value = tensor.data + place.y * parameters.stride_y +
                 place.x * parameters.stride_x;
  for (std::int32_t c = 0; c < parameters.image.channels; ++c) {
    value[c * parameters.stride_channel] =
        (static_cast<float>(pixel[c]) - parameters.mean[c]) *
        parameters.scale[c];
  }
}

SYNCLINE_DEVICE_FUNCTION std::uint8_t NearestByte(float value) {
  if (!(value > 0)) return 0;
  if (value >= 255) return 255;
  return static_cast<std::uint8_t>(value + 0.5f);
}

SYNCLINE_DEVICE_FUNCTION void Denormalize(std::int64_t i,
                                          const NormalizeParameters& parameters,
                                          Elements<const float> tensor,
                                          Elements<std::uint8_t> image) {
  const PixelPlace place = PixelOf(i, parameters.image.width);
  const float* value = tensor.data + place.y * parameters.stride_y +
                       place.x * parameters.stride_x;
  std::uint8_t* pixel = image.data + ByteOf(parameters.image, place.x, place.y);
  for (std::int32_t c = 0; c < parameters.image.channels; ++c) {
    pixel[c] =
        NearestByte(value[c * parameters.stride_channel] * parameters.scale[c] +
                    parameters.mean[c]);
  }
}

// --- Copies

// Plans allow less than 2^32 elements, since a device divides 32 bits several
// times as fast as 64.
template <typename T>
SYNCLINE_DEVICE_FUNCTION void StridedCopy(
    std::int64_t i, const StridedCopyParameters& parameters,
    Elements<const T> in, Elements<T> out) {
  std::int64_t from = parameters.from_offset;
  std::int64_t to = parameters.to_offset;
  std::uint32_t rest = static_cast<std::uint32_t>(i);
  for (std::int32_t d = parameters.rank - 1; d >= 0; --d) {
    const std::uint32_t before = rest / parameters.shape[d];
    const std::int64_t at = rest - before * parameters.shape[d];
    from += at * parameters.from_strides[d];
    to += at * parameters.to_strides[d];
    rest = before;
  }
  out[to] = in[from];
}

// --- Statistics

template <typename T>
struct StatisticsOf {
  using Parameters = StatisticsParameters;
  using Element = T;
  using Value = StatisticsPart;
  using Result = Statistics;

  SYNCLINE_DEVICE_FUNCTION static Value Nothing() {
    const float infinity = std::numeric_limits<float>::infinity();
    return {0, infinity, -infinity};
  }

  SYNCLINE_DEVICE_FUNCTION static Value Of(std::int64_t i,
                                           const Parameters& parameters,
                                           Elements<const Element> in) {
    const std::int64_t row =
        static_cast<std::uint32_t>(i) / parameters.row_length;
    const float value =
        static_cast<float>(in[parameters.offset + row * parameters.pitch +
                              (i - row * parameters.row_length)]);
    // A NaN is neither less nor greater.
    Value part = Nothing();
    part.sum = static_cast<double>(value);
    if (value <= part.least) part.least = value;
    if (value >= part.greatest) part.greatest = value;
    return part;
  }

  SYNCLINE_DEVICE_FUNCTION static Value Both(Value a, Value b) {
    return {a.sum + b.sum, b.least < a.least ? b.least : a.least,
            b.greatest > a.greatest ? b.greatest : a.greatest};
  }

  SYNCLINE_DEVICE_FUNCTION static Result Finish(Value all, std::int64_t count,
                                                const Parameters&) {
    if (count == 0) return {0, 0, 0, 0};
    return {all.sum, all.sum / static_cast<double>(count),
            static_cast<double>(all.least), static_cast<double>(all.greatest)};
  }
};

}  // namespace tensor_kernels

using namespace tensor_kernels;  // NOLINT(build/namespaces)

SYNCLINE_ELEMENT_KERNEL(kNormalize, Normalize);
SYNCLINE_ELEMENT_KERNEL(kDenormalize, Denormalize);
SYNCLINE_ELEMENT_KERNEL(kStridedCopy1, StridedCopy<std::uint8_t>);
SYNCLINE_ELEMENT_KERNEL(kStridedCopy2, StridedCopy<std::uint16_t>);
SYNCLINE_ELEMENT_KERNEL(kStridedCopy4, StridedCopy<std::uint32_t>);
SYNCLINE_ELEMENT_KERNEL(kStridedCopy8, StridedCopy<std::uint64_t>);
SYNCLINE_REDUCTION_KERNEL(kStatisticsOfBytes, StatisticsOf<std::uint8_t>);
SYNCLINE_REDUCTION_KERNEL(kStatisticsOfFloats, StatisticsOf<float>);

}  // namespace syncline::gpu
