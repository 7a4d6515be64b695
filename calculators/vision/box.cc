#include "calculators/vision/box.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/location_data.pb.h"

namespace syncline {
namespace {

// The largest coordinate: larger than any image, and still exact in a float.
constexpr double kFarthest = 1 << 24;

bool IsSound(const Box& box) {
  for (const double value : {box.x, box.y, box.width, box.height}) {
    if (!std::isfinite(value) || std::abs(value) > kFarthest) return false;
  }
  return box.width >= 0 && box.height >= 0;
}

}  // namespace

absl::StatusOr<Box> BoxOf(const Detection& detection) {
  const LocationData& location = detection.location_data();
  Box box;
  if (location.format() == LocationData::BOUNDING_BOX &&
      location.has_bounding_box()) {
    const LocationData::BoundingBox& from = location.bounding_box();
    box = {static_cast<double>(from.xmin()), static_cast<double>(from.ymin()),
           static_cast<double>(from.width()),
           static_cast<double>(from.height()), false};
  } else if (location.format() == LocationData::RELATIVE_BOUNDING_BOX &&
             location.has_relative_bounding_box()) {
    const LocationData::RelativeBoundingBox& from =
        location.relative_bounding_box();
    box = {from.xmin(), from.ymin(), from.width(), from.height(), true};
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "a detection has no box; its location should be a BOUNDING_BOX or a "
        "RELATIVE_BOUNDING_BOX: ",
        detection.ShortDebugString()));
  }
  if (!IsSound(box)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a detection has a box that cannot be, with x ", box.x, ", y ", box.y,
        ", width ", box.width, ", height ", box.height,
        "; sizes are not negative, and all numbers are finite and at most ",
        kFarthest));
  }
  return box;
}

Box InPixels(const Box& box, int image_width, int image_height) {
  if (!box.relative) return box;
  return {box.x * image_width, box.y * image_height, box.width * image_width,
          box.height * image_height, false};
}

Box InParts(const Box& box, int image_width, int image_height) {
  if (box.relative) return box;
  return {box.x / image_width, box.y / image_height, box.width / image_width,
          box.height / image_height, true};
}

void MoveTo(const Box& box, const Box& before, Detection* detection) {
  LocationData& location = *detection->mutable_location_data();
  if (box.relative) {
    location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
    location.clear_bounding_box();
    LocationData::RelativeBoundingBox& to =
        *location.mutable_relative_bounding_box();
    to.set_xmin(static_cast<float>(box.x));
    to.set_ymin(static_cast<float>(box.y));
    to.set_width(static_cast<float>(box.width));
    to.set_height(static_cast<float>(box.height));
    for (auto& point : *location.mutable_relative_keypoints()) {
      const double across =
          before.width > 0 ? (point.x() - before.x) / before.width : 0;
      const double down =
          before.height > 0 ? (point.y() - before.y) / before.height : 0;
      point.set_x(static_cast<float>(box.x + across * box.width));
      point.set_y(static_cast<float>(box.y + down * box.height));
    }
    return;
  }
  location.set_format(LocationData::BOUNDING_BOX);
  location.clear_relative_bounding_box();
  LocationData::BoundingBox& to = *location.mutable_bounding_box();
  to.set_xmin(static_cast<int>(std::lround(box.x)));
  to.set_ymin(static_cast<int>(std::lround(box.y)));
  to.set_width(static_cast<int>(std::lround(box.width)));
  to.set_height(static_cast<int>(std::lround(box.height)));
}

double IntersectionOverUnion(const Box& a, const Box& b) {
  const double width =
      std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height =
      std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const double common = width * height;
  return common / (a.Area() + b.Area() - common);
}

}  // namespace syncline
