// How boxes move from one image to the next: the median flow of points in them
// (Kalal, Mikolajczyk and Matas, Forward-Backward Error, 2010).
//
// A grid of points in the inner part of each box (its corners show mostly what
// is behind) is followed into the next image by pyramidal Lucas-Kanade, and
// from there back. Points that do not come back to where they were are not to
// be believed; of the others the better half counts. The box moves by the
// median of their ways, and grows by the median of the changes of distance
// between two of them. A box with too few points left is lost.
//
// Points that stay behind on the ground come back as well as any. So a look is
// kept of what a box was told to hold, and compared with what it holds now.
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
  int points_per_side = 8;  // of the grid
  int min_points = 8;       // fewer left: the box is lost
  double max_error_px = 2;  // from a point to where it comes back to
  int window_px = 15;       // of what is compared around a point
  int levels = 3;           // halvings of the image
};

// What is needed of an image to follow points from it and into it. Owns its
// memory.
struct FlowImage {
  std::vector<cv::Mat> pyramid;
  int width = 0;
  int height = 0;
};

FlowImage MakeFlowImage(const cv::Mat& gray,
                        const BoxFlowParameters& parameters);

// Boxes in pixels of `from`, each where it is in `to`; nothing for one that is
// lost, is smaller than a few pixels or has its middle outside of the image.
// REQUIRES: both images have the same size and were made with `parameters`.
std::vector<absl::optional<Box>> FollowBoxes(
    const FlowImage& from, const FlowImage& to, const std::vector<Box>& boxes,
    const BoxFlowParameters& parameters);

// What a box in pixels of `image` holds, small and gray: to be compared with
// what it holds later. Empty if none of it lies in the image.
cv::Mat LookOf(const FlowImage& image, const Box& box);

// How much two looks are alike, whatever their brightness and contrast: 1 are
// the same, 0 have nothing in common. 0 if only one of them has any contrast.
double Similarity(const cv::Mat& a, const cv::Mat& b);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_BOX_FLOW_H_
