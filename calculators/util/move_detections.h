// Projects detections from a part of an image to the whole, or back.
//
// Thread rule: a pure function on one call's data.
// Tested by detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_
#define SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_

#include "absl/functional/function_ref.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Sends the std::vector<Detection> of `input` on `output`, with all relative
// places projected: key points, and the four corners of a box, around which a
// new upright box is made. INVALID_ARGUMENT for a detection in pixels, which is
// not relative to the part.
absl::Status SendMoved(absl::FunctionRef<PlanePoint(PlanePoint)> move,
                       const InputStream& input, OutputStream& output);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_
