// For tests of device calculators: what their kernels do, written plainly for
// the host.
//
// Thread rule: pure functions.

#ifndef SYNCLINE_CALCULATORS_GPU_HOST_IMAGES_H_
#define SYNCLINE_CALCULATORS_GPU_HOST_IMAGES_H_

#include <random>
#include <vector>

#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"

namespace syncline {

// All are of bytes; results have rows as usual.

// Of random bytes.
ImageFrame RandomFrame(std::mt19937& random, ImageFormat::Format format,
                       int width, int height);
// One of GRAY8, SRGB, SRGBA and SBGRA, with sides from 0 to 40.
ImageFrame RandomFrame(std::mt19937& random);
ImageFormat::Format RandomFormat(std::mt19937& random);

ImageFrame HostConvert(const ImageFrame& frame, ImageFormat::Format format);
ImageFrame HostResize(const ImageFrame& frame, int width, int height,
                      bool nearest);
ImageFrame HostThreshold(const ImageFrame& frame, int threshold, int above,
                         int not_above);
// Of any colour; |x| + |y| with `sum_of_sides`.
ImageFrame HostEdges(const ImageFrame& frame, bool sum_of_sides);

// A frame of colour by channels, `thickness` pixels inwards, without opacity.
struct HostBox {
  int left;
  int top;
  int right;
  int bottom;
};
ImageFrame HostBoxes(const ImageFrame& frame, const std::vector<HostBox>& boxes,
                     int thickness, const std::vector<int>& color);

// Fails the test if format, size or pixels differ.
void ExpectSameImage(const ImageFrame& actual, const ImageFrame& expected);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_HOST_IMAGES_H_
