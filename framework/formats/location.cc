#include "framework/formats/location.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/formats/annotation/locus.pb.h"
#include "framework/formats/annotation/rasterization.pb.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/point2.h"
#include "framework/formats/rectangle.h"
#include "framework/packet/type_map.h"

namespace syncline {
namespace {

SYNCLINE_REGISTER_TYPE(LocationData, "::syncline::LocationData", nullptr,
                       nullptr);

// --- Numbers

int ClampedToInt(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<int>(std::clamp<double>(
      value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

int ClampedToInt(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(
      value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

int RoundedToInt(double value) { return ClampedToInt(std::round(value)); }

// --- Boxes

Rectangle_i RectangleOf(const LocationData::BoundingBox& box) {
  return Rectangle_i(box.xmin(), box.ymin(), box.width(), box.height());
}

Rectangle_f RectangleOf(const LocationData::RelativeBoundingBox& box) {
  return Rectangle_f(box.xmin(), box.ymin(), box.width(), box.height());
}

template <typename Box, typename T>
void SetBox(T xmin, T ymin, T width, T height, Box* box) {
  box->set_xmin(xmin);
  box->set_ymin(ymin);
  box->set_width(width);
  box->set_height(height);
}

BoundingBox ToBoundingBox(const Rectangle_i& box) {
  BoundingBox result;
  result.set_left_x(box.xmin());
  result.set_upper_y(box.ymin());
  result.set_right_x(ClampedToInt(std::int64_t{box.xmin()} + box.Width()));
  result.set_lower_y(ClampedToInt(std::int64_t{box.ymin()} + box.Height()));
  return result;
}

// Crops one side of a box, from `min` on, to a limit that is given in the same
// way.
template <typename T>
void CropSide(T limit_min, T limit_size, T* min, T* size) {
  const T limit_max = limit_min + limit_size;
  const T max = std::clamp(*min + *size, limit_min, limit_max);
  *min = std::clamp(*min, limit_min, limit_max);
  *size = max - *min;
}

// --- Masks

// The smallest box that has all pixels; a box without extent if there are none.
Rectangle_i BoxAround(const Rasterization& mask) {
  if (mask.interval().empty()) return Rectangle_i();
  int xmin = std::numeric_limits<int>::max();
  int ymin = xmin;
  int xmax = 0;
  int ymax = 0;
  for (const Rasterization::Interval& run : mask.interval()) {
    xmin = std::min(xmin, run.left_x());
    xmax = std::max(xmax, run.right_x());
    ymin = std::min(ymin, run.y());
    ymax = std::max(ymax, run.y());
  }
  return Rectangle_i(xmin, ymin, xmax - xmin + 1, ymax - ymin + 1);
}

bool IsValidMask(const LocationData::BinaryMask& mask) {
  return mask.width() >= 0 && mask.height() >= 0 &&
         std::all_of(mask.rasterization().interval().begin(),
                     mask.rasterization().interval().end(),
                     [&](const Rasterization::Interval& run) {
                       return run.y() >= 0 && run.y() < mask.height() &&
                              run.left_x() >= 0 &&
                              run.left_x() <= run.right_x() &&
                              run.right_x() < mask.width();
                     });
}

// --- Misuse

[[noreturn]] void Reject(absl::string_view what, const LocationData& data) {
  std::string text = data.ShortDebugString();
  if (text.size() > 200) text = absl::StrCat(text.substr(0, 200), "...");
  ReportMisuse(absl::InvalidArgumentError(
      absl::StrCat(what, " The location is {", text, "}.")));
}

void CheckFormat(LocationData::Format wanted, const LocationData& data) {
  if (data.format() == wanted) return;
  Reject(absl::StrCat("A location of format ",
                      LocationData::Format_Name(data.format()), " has no ",
                      LocationData::Format_Name(wanted),
                      ": ask for GetFormat() first, or convert it."),
         data);
}

void CheckImage(int width, int height, const LocationData& data) {
  if (width > 0 && height > 0) return;
  Reject(absl::StrCat("A location cannot be converted in an image of ", width,
                      " x ", height, " pixels."),
         data);
}

}  // namespace

// --- Making one

Location::Location() { location_data_.set_format(LocationData::GLOBAL); }

Location::Location(const LocationData& location_data) {
  SetFromProto(location_data);
}

void Location::SetFromProto(const LocationData& proto) {
  if (!IsValidLocationData(proto)) {
    Reject(
        "A location needs the field of its format, and a mask within its "
        "image.",
        proto);
  }
  location_data_ = proto;
}

Location Location::CreateGlobalLocation() { return Location(); }

Location Location::CreateBBoxLocation(int xmin, int ymin, int width,
                                      int height) {
  LocationData data;
  data.set_format(LocationData::BOUNDING_BOX);
  SetBox(xmin, ymin, width, height, data.mutable_bounding_box());
  return Location(data);
}

Location Location::CreateBBoxLocation(const Rectangle_i& bbox) {
  return CreateBBoxLocation(bbox.xmin(), bbox.ymin(), bbox.Width(),
                            bbox.Height());
}

Location Location::CreateBBoxLocation(const BoundingBox& bbox) {
  return CreateBBoxLocation(
      bbox.left_x(), bbox.upper_y(),
      ClampedToInt(std::int64_t{bbox.right_x()} - bbox.left_x()),
      ClampedToInt(std::int64_t{bbox.lower_y()} - bbox.upper_y()));
}

Location Location::CreateRelativeBBoxLocation(float relative_xmin,
                                              float relative_ymin,
                                              float relative_width,
                                              float relative_height) {
  LocationData data;
  data.set_format(LocationData::RELATIVE_BOUNDING_BOX);
  SetBox(relative_xmin, relative_ymin, relative_width, relative_height,
         data.mutable_relative_bounding_box());
  return Location(data);
}

Location Location::CreateRelativeBBoxLocation(
    const Rectangle_f& relative_bbox) {
  return CreateRelativeBBoxLocation(relative_bbox.xmin(), relative_bbox.ymin(),
                                    relative_bbox.Width(),
                                    relative_bbox.Height());
}

Location Location::CreateMaskLocation(int image_width, int image_height,
                                      const Rasterization& mask) {
  LocationData data;
  data.set_format(LocationData::MASK);
  data.mutable_mask()->set_width(image_width);
  data.mutable_mask()->set_height(image_height);
  *data.mutable_mask()->mutable_rasterization() = mask;
  return Location(data);
}

// --- The form of a location

bool Location::IsValidLocationData(const LocationData& location_data) {
  switch (location_data.format()) {
    case LocationData::GLOBAL:
      return true;
    case LocationData::BOUNDING_BOX:
      return location_data.has_bounding_box();
    case LocationData::RELATIVE_BOUNDING_BOX:
      return location_data.has_relative_bounding_box();
    case LocationData::MASK:
      return location_data.has_mask() && IsValidMask(location_data.mask());
  }
  return false;
}

template <>
Rectangle_i Location::GetBBox<Rectangle_i>() const {
  CheckFormat(LocationData::BOUNDING_BOX, location_data_);
  return RectangleOf(location_data_.bounding_box());
}

template <>
BoundingBox Location::GetBBox<BoundingBox>() const {
  return ToBoundingBox(GetBBox<Rectangle_i>());
}

Rectangle_f Location::GetRelativeBBox() const {
  CheckFormat(LocationData::RELATIVE_BOUNDING_BOX, location_data_);
  return RectangleOf(location_data_.relative_bounding_box());
}

const LocationData::BinaryMask& Location::GetMask() const {
  CheckFormat(LocationData::MASK, location_data_);
  return location_data_.mask();
}

std::vector<Point2_f> Location::GetRelativeKeypoints() const {
  std::vector<Point2_f> points;
  for (const auto& point : location_data_.relative_keypoints()) {
    points.emplace_back(point.x(), point.y());
  }
  return points;
}

void Location::SetRelativeKeypoints(const std::vector<Point2_f>& keypoints) {
  location_data_.clear_relative_keypoints();
  for (const Point2_f& point : keypoints) {
    auto* added = location_data_.add_relative_keypoints();
    added->set_x(point.x());
    added->set_y(point.y());
  }
}

// --- Conversions

template <>
Rectangle_i Location::ConvertToBBox<Rectangle_i>(int image_width,
                                                 int image_height) const {
  switch (GetFormat()) {
    case LocationData::GLOBAL:
      return Rectangle_i(0, 0, image_width, image_height);
    case LocationData::BOUNDING_BOX:
      return RectangleOf(location_data_.bounding_box());
    case LocationData::RELATIVE_BOUNDING_BOX: {
      const auto& box = location_data_.relative_bounding_box();
      return Rectangle_i(RoundedToInt(double{box.xmin()} * image_width),
                         RoundedToInt(double{box.ymin()} * image_height),
                         RoundedToInt(double{box.width()} * image_width),
                         RoundedToInt(double{box.height()} * image_height));
    }
    case LocationData::MASK:
      break;
  }
  return BoxAround(location_data_.mask().rasterization());
}

template <>
BoundingBox Location::ConvertToBBox<BoundingBox>(int image_width,
                                                 int image_height) const {
  return ToBoundingBox(ConvertToBBox<Rectangle_i>(image_width, image_height));
}

Rectangle_f Location::ConvertToRelativeBBox(int image_width,
                                            int image_height) const {
  if (GetFormat() == LocationData::GLOBAL) return Rectangle_f(0, 0, 1, 1);
  if (GetFormat() == LocationData::RELATIVE_BOUNDING_BOX) {
    return GetRelativeBBox();
  }
  CheckImage(image_width, image_height, location_data_);
  const auto box = ConvertToBBox<Rectangle_i>(image_width, image_height);
  const auto width = static_cast<float>(image_width);
  const auto height = static_cast<float>(image_height);
  return Rectangle_f(static_cast<float>(box.xmin()) / width,
                     static_cast<float>(box.ymin()) / height,
                     static_cast<float>(box.Width()) / width,
                     static_cast<float>(box.Height()) / height);
}

// --- Changes

Location& Location::Scale(float scale) {
  if (!(scale > 0))
    Reject("A location is scaled by a factor above 0.", location_data_);
  switch (GetFormat()) {
    case LocationData::GLOBAL:
      break;
    case LocationData::BOUNDING_BOX: {
      auto* box = location_data_.mutable_bounding_box();
      const auto scaled = [scale](int value) {
        return RoundedToInt(double{scale} * value);
      };
      SetBox(scaled(box->xmin()), scaled(box->ymin()), scaled(box->width()),
             scaled(box->height()), box);
      break;
    }
    case LocationData::RELATIVE_BOUNDING_BOX: {
      auto* box = location_data_.mutable_relative_bounding_box();
      SetBox(scale * box->xmin(), scale * box->ymin(), scale * box->width(),
             scale * box->height(), box);
      break;
    }
    case LocationData::MASK:
      Reject("A mask cannot be scaled.", location_data_);
  }
  for (auto& point : *location_data_.mutable_relative_keypoints()) {
    point.set_x(scale * point.x());
    point.set_y(scale * point.y());
  }
  return *this;
}

Location& Location::Square(int image_width, int image_height) {
  switch (GetFormat()) {
    case LocationData::GLOBAL:
      break;
    case LocationData::BOUNDING_BOX: {
      auto* box = location_data_.mutable_bounding_box();
      const std::int64_t side = std::max(box->width(), box->height());
      SetBox(ClampedToInt(box->xmin() - (side - box->width()) / 2),
             ClampedToInt(box->ymin() - (side - box->height()) / 2),
             static_cast<int>(side), static_cast<int>(side), box);
      break;
    }
    case LocationData::RELATIVE_BOUNDING_BOX: {
      CheckImage(image_width, image_height, location_data_);
      auto* box = location_data_.mutable_relative_bounding_box();
      const float side =
          std::max(box->width() * static_cast<float>(image_width),
                   box->height() * static_cast<float>(image_height));
      const float width = side / static_cast<float>(image_width);
      const float height = side / static_cast<float>(image_height);
      SetBox(box->xmin() - (width - box->width()) / 2,
             box->ymin() - (height - box->height()) / 2, width, height, box);
      break;
    }
    case LocationData::MASK:
      Reject("A mask cannot be made a square.", location_data_);
  }
  return *this;
}

Location& Location::Crop(const Rectangle_i& crop_box) {
  if (crop_box.IsEmpty())
    Reject(
        "A location cannot be cropped to an empty "
        "rectangle.",
        location_data_);
  if (GetFormat() == LocationData::GLOBAL) return *this;
  CheckFormat(LocationData::BOUNDING_BOX, location_data_);
  auto* box = location_data_.mutable_bounding_box();
  std::int64_t xmin = box->xmin();
  std::int64_t ymin = box->ymin();
  std::int64_t width = box->width();
  std::int64_t height = box->height();
  CropSide<std::int64_t>(crop_box.xmin(), crop_box.Width(), &xmin, &width);
  CropSide<std::int64_t>(crop_box.ymin(), crop_box.Height(), &ymin, &height);
  SetBox(ClampedToInt(xmin), ClampedToInt(ymin), ClampedToInt(width),
         ClampedToInt(height), box);
  return *this;
}

Location& Location::Crop(const Rectangle_f& crop_box) {
  if (!(crop_box.Width() >= 0 && crop_box.Height() >= 0)) {
    Reject("A location cannot be cropped to an empty rectangle.",
           location_data_);
  }
  if (GetFormat() == LocationData::GLOBAL) return *this;
  CheckFormat(LocationData::RELATIVE_BOUNDING_BOX, location_data_);
  const Rectangle_f box = GetRelativeBBox();
  float xmin = box.xmin();
  float ymin = box.ymin();
  float width = box.Width();
  float height = box.Height();
  CropSide(crop_box.xmin(), crop_box.Width(), &xmin, &width);
  CropSide(crop_box.ymin(), crop_box.Height(), &ymin, &height);
  SetBox(xmin, ymin, width, height,
         location_data_.mutable_relative_bounding_box());
  return *this;
}

}  // namespace syncline
