#include "calculators/util/move_detections.h"

#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/location_data.pb.h"

namespace syncline {
namespace {

absl::Status MovePlaces(absl::FunctionRef<PlanePoint(PlanePoint)> move,
                        LocationData* location) {
  if (location->format() == LocationData::BOUNDING_BOX ||
      location->format() == LocationData::MASK) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a location of format ", LocationData::Format_Name(location->format()),
        " is in pixels, and only one in parts of the image can be moved: "
        "RELATIVE_BOUNDING_BOX, or key points"));
  }
  if (location->has_relative_bounding_box()) {
    auto& box = *location->mutable_relative_bounding_box();
    const double right = double{box.xmin()} + box.width();
    const double bottom = double{box.ymin()} + box.height();
    box = BoxAround({move({box.xmin(), box.ymin()}), move({right, box.ymin()}),
                     move({box.xmin(), bottom}), move({right, bottom})});
  }
  for (auto& point : *location->mutable_relative_keypoints()) {
    const PlanePoint moved = move({point.x(), point.y()});
    point.set_x(static_cast<float>(moved.x));
    point.set_y(static_cast<float>(moved.y));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SendMoved(absl::FunctionRef<PlanePoint(PlanePoint)> move,
                       const InputStream& input, OutputStream& output) {
  const Timestamp time = input.Value().Timestamp();
  auto detections = input.Get<std::vector<Detection>>();
  for (Detection& detection : detections) {
    SYNCLINE_RETURN_IF_ERROR(
        MovePlaces(move, detection.mutable_location_data()))
        << "in stream \"" << input.Name() << "\" at " << time.DebugString();
  }
  output.AddPacket(
      MakePacket<std::vector<Detection>>(std::move(detections)).At(time));
  return absl::OkStatus();
}

}  // namespace syncline
