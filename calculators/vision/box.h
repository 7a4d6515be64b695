// Boxes of detections: reads them from the message, checks them, and compares
// them.
//
// Thread rule: pure functions.
// Tested by track_association_calculator_test and optical_flow_tracker_test.

#ifndef SYNCLINE_CALCULATORS_VISION_BOX_H_
#define SYNCLINE_CALCULATORS_VISION_BOX_H_

#include "absl/status/statusor.h"
#include "framework/formats/detection.pb.h"

namespace syncline {

// A box in an image, in pixels or relative to its width and height. It may lie
// outside of the image.
struct Box {
  double x = 0;  // of the upper left corner
  double y = 0;
  double width = 0;
  double height = 0;
  bool relative = false;

  double Area() const { return width * height; }
};

// The box of a detection. INVALID_ARGUMENT, with the detection in the message,
// if it has no box, a negative size, or numbers that are not finite or too
// large for any image.
absl::StatusOr<Box> BoxOf(const Detection& detection);

// The same box in the other unit. Sizes in pixels, above 0.
Box InPixels(const Box& box, int image_width, int image_height);
Box InParts(const Box& box, int image_width, int image_height);

// Writes the box into a detection, in the unit that the box has; key points
// move and stretch with it. REQUIRES: the detection's box was `before`, in the
// same unit.
void MoveTo(const Box& box, const Box& before, Detection* detection);

// The area of the intersection divided by the area of the union: 0 to 1. 0 if
// both are empty. REQUIRES: the same unit.
double IntersectionOverUnion(const Box& a, const Box& b);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_BOX_H_
