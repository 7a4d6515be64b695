// For sliding-window detectors: combines many overlapping finds into few
// detections, in an order that does not depend on OpenCV's threads.
//
// Thread rule: pure functions.
// Tested by found_boxes_test and detectors_test.

#ifndef SYNCLINE_CALCULATORS_VISION_FOUND_BOXES_H_
#define SYNCLINE_CALCULATORS_VISION_FOUND_BOXES_H_

#include <string>
#include <vector>

#include "framework/formats/detection.pb.h"
#include "framework/timestamp.h"
#include "opencv2/core.hpp"

namespace syncline {

struct FoundBox {
  cv::Rect box;  // in pixels of the image that was searched
  double weight = 0;
  int agreeing = 1;  // how many finds it combines
};

// Sorts finds, since threads report them in any order.
void SortFoundBoxes(std::vector<FoundBox>* found);

// Groups boxes: two boxes that differ by less than a fifth of their sizes
// belong to one group. Each group in which a box has at least `min_neighbors`
// others becomes one box, the mean, with the greatest weight. 0 leaves all
// boxes unchanged.
std::vector<FoundBox> GroupFoundBoxes(std::vector<FoundBox> found,
                                      int min_neighbors);

// A detection with the box relative to the image, cropped at its border.
Detection MakeDetection(const cv::Rect& box, cv::Size searched, double score,
                        const std::string& label, Timestamp timestamp);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_FOUND_BOXES_H_
