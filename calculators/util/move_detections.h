// Detections whose places are moved, from a part of an image to the whole, or
// back.
//
// Thread rule: a pure function on one call's data.
// Tested by detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_
#define SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_

#include "absl/functional/function_ref.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Sends the std::vector<Detection> of `input` to `output` with all moved that
// is in parts of the image: of a box the four corners, around which there is a
// new upright box, and the key points. INVALID_ARGUMENT for a detection in
// pixels, which says nothing of parts.
absl::Status SendMoved(absl::FunctionRef<PlanePoint(PlanePoint)> move,
                       const InputStream& input, OutputStream& output);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_MOVE_DETECTIONS_H_
