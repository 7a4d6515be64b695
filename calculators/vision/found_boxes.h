// What sliding-window detectors share: many overlapping finds become few
// detections, in the same order whatever the number of OpenCV's threads.
//
// Thread rule: pure functions.
// Tested by detectors_test.

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
  int agreeing = 1;  // how many finds it stands for
};

// Threads report what they find in any order: puts it into one.
void SortFoundBoxes(std::vector<FoundBox>* found);

// Groups of boxes, where two belong together that differ by less than a fifth
// of their sizes. Each group of at least `min_neighbors` others becomes a box,
// the mean, with the greatest weight. 0 leaves all as they are.
std::vector<FoundBox> GroupFoundBoxes(std::vector<FoundBox> found,
                                      int min_neighbors);

// A detection with the box in parts of the image, cut at its border.
Detection MakeDetection(const cv::Rect& box, cv::Size searched, double score,
                        const std::string& label, Timestamp timestamp);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_FOUND_BOXES_H_
