// The kernels of image_kernels.h.

#include <cmath>
#include <cstdint>

#include "gpu/element_kernel.h"
#include "gpu/kernels/image_kernels.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/pixels.h"

namespace syncline::gpu {
// Named: nvcc makes the name of an unnamed one of the folder that it works in,
// and two builds would differ.
namespace image_kernels {

using Bytes = Elements<const std::uint8_t>;
using WritableBytes = Elements<std::uint8_t>;

// --- Resize

// In 2^-42 pixels of the source: where the center of pixel `place` is. Sides
// have at most 2^20 pixels, so no product overflows, and the error of the step
// is too small to move a center over the edge between two pixels.
constexpr int kPositionBits = 42;

SYNCLINE_DEVICE_FUNCTION std::int64_t Center(std::int32_t place,
                                             std::int64_t step) {
  return (2 * static_cast<std::int64_t>(place) + 1) * step;
}

SYNCLINE_DEVICE_FUNCTION void ResizeNearest(std::int64_t i,
                                            const ResizeParameters& parameters,
                                            Bytes in, WritableBytes out) {
  const PixelPlace place = PixelOf(i, parameters.to.width);
  const std::int32_t x = static_cast<std::int32_t>(
      Center(place.x, parameters.step_x) >> kPositionBits);
  const std::int32_t y = static_cast<std::int32_t>(
      Center(place.y, parameters.step_y) >> kPositionBits);
  const std::uint8_t* source = in.data + ByteOf(parameters.from, x, y);
  std::uint8_t* target = out.data + ByteOf(parameters.to, place.x, place.y);
  for (std::int32_t c = 0; c < parameters.from.channels; ++c) {
    target[c] = source[c];
  }
}

// Two neighbours and how much the second counts, of kWeights.
struct Between {
  std::int32_t first;
  std::int32_t second;
  std::int32_t weight;
};

constexpr int kWeightBits = 11;
constexpr std::int32_t kWeights = 1 << kWeightBits;

SYNCLINE_DEVICE_FUNCTION Between BetweenPixels(std::int32_t place,
                                               std::int64_t step,
                                               std::int32_t length) {
  // From the center of the first pixel.
  std::int64_t position = Center(place, step) -
                          (static_cast<std::int64_t>(1) << (kPositionBits - 1));
  const std::int64_t last = static_cast<std::int64_t>(length - 1)
                            << kPositionBits;
  position = position < 0 ? 0 : position > last ? last : position;
  const std::int32_t first =
      static_cast<std::int32_t>(position >> kPositionBits);
  return {first, first + 1 < length ? first + 1 : first,
          static_cast<std::int32_t>(position >> (kPositionBits - kWeightBits)) &
              (kWeights - 1)};
}

SYNCLINE_DEVICE_FUNCTION void ResizeBilinear(std::int64_t i,
                                             const ResizeParameters& parameters,
                                             Bytes in, WritableBytes out) {
  const ImageLayout& from = parameters.from;
  const PixelPlace place = PixelOf(i, parameters.to.width);
  const Between x = BetweenPixels(place.x, parameters.step_x, from.width);
  const Between y = BetweenPixels(place.y, parameters.step_y, from.height);
  const std::uint8_t* top_left = in.data + ByteOf(from, x.first, y.first);
  const std::uint8_t* top_right = in.data + ByteOf(from, x.second, y.first);
  const std::uint8_t* low_left = in.data + ByteOf(from, x.first, y.second);
  const std::uint8_t* low_right = in.data + ByteOf(from, x.second, y.second);
  std::uint8_t* target = out.data + ByteOf(parameters.to, place.x, place.y);
  for (std::int32_t c = 0; c < from.channels; ++c) {
    // At most 255 * 2^22, which 31 bits hold.
    const std::int32_t top =
        top_left[c] * (kWeights - x.weight) + top_right[c] * x.weight;
    const std::int32_t low =
        low_left[c] * (kWeights - x.weight) + low_right[c] * x.weight;
    const std::int32_t sum = top * (kWeights - y.weight) + low * y.weight;
    target[c] = static_cast<std::uint8_t>(
        (sum + (1 << (2 * kWeightBits - 1))) >> (2 * kWeightBits));
  }
}

// --- Pixel by pixel

SYNCLINE_DEVICE_FUNCTION void Threshold(std::int64_t i,
                                        const ThresholdParameters& parameters,
                                        Bytes in, WritableBytes out) {
  const PixelPlace place = PixelOf(i, parameters.to.width);
  const std::uint8_t* source =
      in.data + ByteOf(parameters.from, place.x, place.y);
  std::uint8_t* target = out.data + ByteOf(parameters.to, place.x, place.y);
  for (std::int32_t c = 0; c < parameters.to.channels; ++c) {
    target[c] = source[c] > parameters.threshold ? parameters.above
                                                 : parameters.not_above;
  }
}

SYNCLINE_DEVICE_FUNCTION void Edges(std::int64_t i,
                                    const EdgesParameters& parameters, Bytes in,
                                    WritableBytes out) {
  const ImageLayout& from = parameters.from;
  const PixelPlace place = PixelOf(i, from.width);
  const std::int32_t left = place.x > 0 ? place.x - 1 : 0;
  const std::int32_t right = ClampTo(place.x + 1, 0, from.width - 1);
  const std::uint8_t* above =
      in.data + ByteOf(from, 0, place.y > 0 ? place.y - 1 : 0);
  const std::uint8_t* here = in.data + ByteOf(from, 0, place.y);
  const std::uint8_t* below =
      in.data + ByteOf(from, 0, ClampTo(place.y + 1, 0, from.height - 1));
  const std::int32_t x = above[right] + 2 * here[right] + below[right] -
                         above[left] - 2 * here[left] - below[left];
  const std::int32_t y = below[left] + 2 * below[place.x] + below[right] -
                         above[left] - 2 * above[place.x] - above[right];
  std::int32_t magnitude;
  if (parameters.sum_of_sides) {
    magnitude = (x < 0 ? -x : x) + (y < 0 ? -y : y);
  } else {
    // Less than 2^22, so a float holds it, and its root is nowhere so near
    // below an integer that it would be rounded to it.
    magnitude =
        static_cast<std::int32_t>(sqrtf(static_cast<float>(x * x + y * y)));
  }
  out[ByteOf(parameters.to, place.x, place.y)] = ClampToByte(magnitude);
}

// --- Boxes

SYNCLINE_DEVICE_FUNCTION bool Covers(const OverlayBox& box,
                                     const PixelPlace& place) {
  if (place.x < box.left || place.x >= box.right || place.y < box.top ||
      place.y >= box.bottom) {
    return false;
  }
  if (box.thickness <= 0) return true;
  // Differences of any two numbers need more than 32 bits.
  const std::int64_t x = place.x;
  const std::int64_t y = place.y;
  return x - box.left < box.thickness || box.right - x <= box.thickness ||
         y - box.top < box.thickness || box.bottom - y <= box.thickness;
}

SYNCLINE_DEVICE_FUNCTION void OverlayBoxes(
    std::int64_t i, const OverlayBoxesParameters& parameters,
    WritableBytes image, Elements<const OverlayBox> boxes) {
  const PixelPlace place = PixelOf(i, parameters.image.width);
  std::uint8_t* pixel = image.data + ByteOf(parameters.image, place.x, place.y);
  for (std::int32_t b = 0; b < parameters.num_boxes; ++b) {
    const OverlayBox& box = boxes[b];
    if (!Covers(box, place)) continue;
    for (std::int32_t c = 0; c < parameters.image.channels; ++c) {
      pixel[c] = static_cast<std::uint8_t>(
          (box.color[c] * box.opacity + pixel[c] * (255 - box.opacity) + 127) /
          255);
    }
  }
}

}  // namespace image_kernels

using namespace image_kernels;  // NOLINT(build/namespaces)

SYNCLINE_ELEMENT_KERNEL(kResizeNearest, ResizeNearest);
SYNCLINE_ELEMENT_KERNEL(kResizeBilinear, ResizeBilinear);
SYNCLINE_ELEMENT_KERNEL(kThreshold, Threshold);
SYNCLINE_ELEMENT_KERNEL(kEdges, Edges);
SYNCLINE_ELEMENT_KERNEL(kOverlayBoxes, OverlayBoxes);

}  // namespace syncline::gpu
