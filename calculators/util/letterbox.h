// Letterbox: the padding that was added around an image to change its shape.
//
// Thread rule: pure functions.
// Tested by detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_LETTERBOX_H_
#define SYNCLINE_CALCULATORS_UTIL_LETTERBOX_H_

#include <array>
#include <cmath>

#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Converts places in the padded image to places in the image without padding.
struct Letterbox {
  double left;
  double top;
  // The place of the image, relative to the padded image.
  double width;
  double height;

  // Reads the packet of an input: (left, top, right, bottom), relative to the
  // padded image. There must be a packet. INVALID_ARGUMENT if no part of the
  // image is left.
  static absl::StatusOr<Letterbox> Read(const InputStream& input) {
    const auto& padding = input.Get<std::array<float, 4>>();
    const Letterbox result = {padding[0], padding[1],
                              1.0 - padding[0] - padding[2],
                              1.0 - padding[1] - padding[3]};
    if (result.width > 0 && result.height > 0 && std::isfinite(result.width) &&
        std::isfinite(result.height)) {
      return result;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "the padding of stream \"", input.Name(), "\" at ",
        input.Value().Timestamp().DebugString(), " is ", padding[0], ", ",
        padding[1], ", ", padding[2], ", ", padding[3],
        " (left, top, right, bottom, in parts), which leaves no image"));
  }

  PlanePoint WithoutPadding(PlanePoint point) const {
    return {(point.x - left) / width, (point.y - top) / height};
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_LETTERBOX_H_
