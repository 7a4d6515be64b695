// The weights of the pixels of a frame, from 0 to 1, made of a mask.
//
// Thread rule: pure functions.
// Tested by mask_calculators_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_
#define SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_

#include "absl/status/statusor.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {

// A matrix of floats of that size; a mask of another size is scaled. `mask` has
// bytes (255 is 1) or floats (VEC32F1, clamped to 0 and 1). If it has several
// channels, the first or the last one is used.
absl::StatusOr<cv::Mat> MaskWeights(const ImageFrame& mask, bool last_channel,
                                    cv::Size size);

// Computes first * (1 - weight) + second * weight for each pixel. `result` may
// be one of the two. All have bytes, and the same size and channels; `weights`
// has floats.
void Blend(const cv::Mat& first, const cv::Mat& second, const cv::Mat& weights,
           cv::Mat* result);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_
