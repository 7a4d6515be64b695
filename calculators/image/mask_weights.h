// A mask for a frame: how much each of its pixels counts, from 0 to 1.
//
// Thread rule: pure functions.
// Tested by mask_calculators_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_
#define SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_

#include "absl/status/statusor.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {

// A matrix of floats of that size, scaled if the mask has another. `mask` has
// bytes (255 is 1) or floats (VEC32F1, from 0 to 1; beyond is cut off). Of
// several channels the first counts, or the last.
absl::StatusOr<cv::Mat> MaskWeights(const ImageFrame& mask, bool last_channel,
                                    cv::Size size);

// first * (1 - weight) + second * weight for each pixel, in `result`, which may
// be one of the two. All have bytes, the same size and channels; `weights` has
// floats.
void Blend(const cv::Mat& first, const cv::Mat& second, const cv::Mat& weights,
           cv::Mat* result);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_MASK_WEIGHTS_H_
