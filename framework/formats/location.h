// Location: where something is in an image, over the message LocationData.
//
//   Location location = Location::CreateRelativeBBoxLocation(0.25, 0, 0.5, 1);
//   Rectangle_i box = location.ConvertToBBox<Rectangle_i>(640, 480);
//
// A location is everywhere (GLOBAL), a box in pixels, a box relative to the
// image, or a set of pixels (MASK); Get... reads the form that the location
// has, and ConvertTo... converts it to another form. Besides, a location may
// have key points.
//
// It is a misuse to ask for another form than the location has, and to give
// data that contradict each other (a missing box, a mask with pixels outside of
// its image). The misuse says what the location is. Numbers outside of the
// range of a pixel are clamped.
//
// Thread rule: a value.
// Tested by location_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_LOCATION_H_
#define SYNCLINE_FRAMEWORK_FORMATS_LOCATION_H_

#include <vector>

#include "framework/formats/annotation/locus.pb.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/point2.h"
#include "framework/formats/rectangle.h"

namespace syncline {

class Location {
 public:
  // --- Making one

  // Everywhere.
  Location();
  // The location that a valid message describes.
  explicit Location(const LocationData& location_data);

  static Location CreateGlobalLocation();
  static Location CreateBBoxLocation(int xmin, int ymin, int width, int height);
  static Location CreateBBoxLocation(const Rectangle_i& bbox);
  static Location CreateBBoxLocation(const BoundingBox& bbox);
  static Location CreateRelativeBBoxLocation(float relative_xmin,
                                             float relative_ymin,
                                             float relative_width,
                                             float relative_height);
  static Location CreateRelativeBBoxLocation(const Rectangle_f& relative_bbox);
  // The pixels of an image of that size that `mask` lists.
  static Location CreateMaskLocation(int image_width, int image_height,
                                     const Rasterization& mask);

  // --- The form of a location

  LocationData::Format GetFormat() const { return location_data_.format(); }

  // Whether a message is valid: the field of its format is set, and a mask lies
  // within its image. A box may be anywhere, and its size may even be negative,
  // since some detectors make such boxes.
  static bool IsValidLocationData(const LocationData& location_data);
  bool IsValid() const { return IsValidLocationData(location_data_); }

  // REQUIRES of each: GetFormat() is BOUNDING_BOX, RELATIVE_BOUNDING_BOX, MASK.
  // `Rect` is Rectangle_i or BoundingBox.
  template <typename Rect>
  Rect GetBBox() const;
  Rectangle_f GetRelativeBBox() const;
  const LocationData::BinaryMask& GetMask() const;

  std::vector<Point2_f> GetRelativeKeypoints() const;
  void SetRelativeKeypoints(const std::vector<Point2_f>& keypoints);

  // --- Conversions. An image has a positive width and height.

  // The smallest box around the location. `Rect` is Rectangle_i or BoundingBox.
  template <typename Rect>
  Rect ConvertToBBox(int image_width, int image_height) const;
  Rectangle_f ConvertToRelativeBBox(int image_width, int image_height) const;

  LocationData ConvertToProto() const { return location_data_; }
  void ConvertToProto(LocationData* proto) const { *proto = location_data_; }
  void SetFromProto(const LocationData& proto);

  // --- Changes. Each returns *this. A GLOBAL location stays as it is; a MASK
  // cannot be changed.

  // Multiplies coordinates and sizes, those of key points too.
  Location& Scale(float scale);
  // Makes a box as wide as it is high, around the same middle, by making its
  // shorter side longer. A relative one is a square in pixels of the image.
  Location& Square(int image_width, int image_height);
  // Clamps each side of a box to the border of `crop_box`. A box that lies
  // outside of `crop_box` becomes a box without extent at its border.
  Location& Crop(const Rectangle_i& crop_box);
  Location& Crop(const Rectangle_f& crop_box);

 private:
  LocationData location_data_;
};

template <>
Rectangle_i Location::GetBBox<Rectangle_i>() const;
template <>
BoundingBox Location::GetBBox<BoundingBox>() const;
template <>
Rectangle_i Location::ConvertToBBox<Rectangle_i>(int image_width,
                                                 int image_height) const;
template <>
BoundingBox Location::ConvertToBBox<BoundingBox>(int image_width,
                                                 int image_height) const;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_LOCATION_H_
