// Kernels on images of bytes. image_plan.h plans their launches.
//
// All compute with integers: their results are the same on every device.
//
// Thread rule: constants.
// Tested by image_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_IMAGE_KERNELS_H_
#define SYNCLINE_GPU_KERNELS_IMAGE_KERNELS_H_

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

struct ResizeParameters {
  ImageLayout from;
  ImageLayout to;
  // Pixels of `from` per pixel of `to`, times 2^41, rounded up.
  std::int64_t step_x = 0;
  std::int64_t step_y = 0;
};

// Both read `from` and write `to`. One element is a pixel of `to`. Pixels are
// squares, whose centers are compared: the center of pixel x is at
// (x + 0.5) * step of the source.
extern const Kernel kResizeNearest;
// Between the four nearest centers, with weights of 2^-11ths, rounded once.
// Beyond the outer centers, the outer pixels go on.
extern const Kernel kResizeBilinear;

struct ThresholdParameters {
  ImageLayout from;
  ImageLayout to;
  std::uint8_t threshold = 0;
  std::uint8_t above = 255;  // for values greater than the threshold
  std::uint8_t not_above = 0;
};

// Reads `from`, writes `to`, each channel by itself. One element is a pixel.
// The buffers may be the same, if the layouts are.
extern const Kernel kThreshold;

struct EdgesParameters {
  ImageLayout from;  // both of one channel
  ImageLayout to;
  bool sum_of_sides = false;
};

// Reads `from`, writes `to`. One element is a pixel. The magnitude of Sobel's
// gradient (sides of 3 pixels): the root of x^2 + y^2, rounded down, or, with
// sum_of_sides, |x| + |y|; at most 255. Beyond the border, the outer pixels go
// on.
extern const Kernel kEdges;

// A box on an image, in pixels: from `left` to before `right`, and from `top`
// to before `bottom`. It may reach out of the image.
struct OverlayBox {
  std::int32_t left = 0;
  std::int32_t top = 0;
  std::int32_t right = 0;
  std::int32_t bottom = 0;
  // Of the frame, inwards; 0 fills the box.
  std::int32_t thickness = 1;
  // By channels. 255 covers what was there.
  std::uint8_t color[4] = {255, 255, 255, 255};
  std::uint8_t opacity = 255;
};

struct OverlayBoxesParameters {
  ImageLayout image;
  std::int32_t num_boxes = 0;
};

// Writes (and reads) the image, reads the boxes, later ones over earlier ones.
// One element is a pixel.
extern const Kernel kOverlayBoxes;

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_IMAGE_KERNELS_H_
