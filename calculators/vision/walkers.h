// Pictures of walking figures, which detectors of people recognize as people:
// for tests, and for demonstrations without a video.
//
// The picture of a time is the same on every machine.
//
// Thread rule: a pure function.
// Tested by detectors_test.

#ifndef SYNCLINE_CALCULATORS_VISION_WALKERS_H_
#define SYNCLINE_CALCULATORS_VISION_WALKERS_H_

#include <vector>

#include "framework/formats/image_frame.h"

namespace syncline {

// A figure that walks from side to side.
struct Walker {
  double start_x;  // of its feet, in pixels, at time 0
  double feet_y;   // in pixels
  double height;   // in pixels; people detectors want 100 or more
  double speed;    // in pixels a second; below 0 to the left
};

// The scene of that size after so many seconds, in SRGB. A figure that leaves
// it on one side comes back on the other.
ImageFrame DrawWalkers(const std::vector<Walker>& walkers, int width,
                       int height, double seconds);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_WALKERS_H_
