// Follows boxes from one image to the next: by the median flow of points in
// them (Kalal, Mikolajczyk and Matas, Forward-Backward Error, 2010).
//
// A grid of points in the inner part of each box (its corners show mostly what
// is behind) is followed into the next image by pyramidal Lucas-Kanade, and
// from there back. Points that do not come back to their place are dropped; of
// the others the better half is used. The box moves by the median of their
// movements, and grows by the median of the changes of distance between two of
// them. A box with too few points left is lost.
//
// Points on the background come back too, although the object has moved away.
// So a look is kept: a small gray picture of the contents of the box when it
// was detected. It is compared with the contents of the box now.
//
// Thread rule: pure functions; the results do not depend on how many threads
// OpenCV uses.
// Tested by optical_flow_tracker_test.

#ifndef SYNCLINE_CALCULATORS_VISION_BOX_FLOW_H_
#define SYNCLINE_CALCULATORS_VISION_BOX_FLOW_H_

#include <vector>

#include "absl/types/optional.h"
#include "calculators/vision/box.h"
#include "opencv2/core.hpp"

namespace syncline {

struct BoxFlowParameters {
  int points_per_side = 8;  // points of the grid in each direction
  int min_points = 8;       // with fewer points left, the box is lost
  // largest distance from a point to where it comes back
  double max_error_px = 2;
  int window_px = 15;  // size of the area that is compared around a point
  int levels = 3;      // how often the image is halved
};

// The data of an image that are needed to follow points from it and into it.
// Owns its memory.
struct FlowImage {
  std::vector<cv::Mat> pyramid;
  int width = 0;
  int height = 0;
};

FlowImage MakeFlowImage(const cv::Mat& gray,
                        const BoxFlowParameters& parameters);

// For each box in pixels of `from`, the box in `to`; nothing for a box that is
// lost, is smaller than a few pixels, or has its middle outside of the image.
// REQUIRES: both images have the same size and were made with `parameters`.
std::vector<absl::optional<Box>> FollowBoxes(
    const FlowImage& from, const FlowImage& to, const std::vector<Box>& boxes,
    const BoxFlowParameters& parameters);

// The contents of a box in pixels of `image`, small and gray, to be compared
// later. Empty if the box lies outside of the image.
cv::Mat LookOf(const FlowImage& image, const Box& box);

// How similar two looks are, independent of brightness and contrast: 1 means
// equal, 0 means unrelated. 0 if only one of them has any contrast.
double Similarity(const cv::Mat& a, const cv::Mat& b);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_BOX_FLOW_H_
