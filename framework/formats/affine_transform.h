// AffineTransform: scale, shear, turn and move points of a plane, in this
// order.
//
// Thread rule: a value.
// Tested by small_formats_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_AFFINE_TRANSFORM_H_
#define SYNCLINE_FRAMEWORK_FORMATS_AFFINE_TRANSFORM_H_

#include "framework/formats/affine_transform_data.pb.h"
#include "framework/formats/point2.h"

namespace syncline {

class AffineTransform {
 public:
  // The transform that changes nothing.
  AffineTransform() = default;
  explicit AffineTransform(const AffineTransformData& proto) {
    SetFromProto(proto);
  }

  // `rotation` is in radians; `shear` moves x by so many parts of y, and y by
  // so many parts of x.
  static AffineTransform Create(const Point2_f& translation,
                                const Point2_f& scale, float rotation,
                                const Point2_f& shear);

  Point2_f translation() const { return translation_; }
  Point2_f scale() const { return scale_; }
  float rotation() const { return rotation_; }
  Point2_f shear() const { return shear_; }

  void SetTranslation(const Point2_f& to) { translation_ = to; }
  void SetScale(const Point2_f& to) { scale_ = to; }
  void SetRotation(float to) { rotation_ = to; }
  void SetShear(const Point2_f& to) { shear_ = to; }

  void AddTranslation(const Point2_f& by);
  void AddScale(const Point2_f& by);
  void AddRotation(float by) { rotation_ += by; }
  void AddShear(const Point2_f& by);

  // Returns where the transform moves a point.
  Point2_f Transform(const Point2_f& point) const;

  // A field of the message that is not set has its value in the transform that
  // changes nothing.
  void SetFromProto(const AffineTransformData& proto);
  void ConvertToProto(AffineTransformData* proto) const;
  AffineTransformData ConvertToProto() const;

  // Whether each number differs from its counterpart by at most `max_error`.
  static bool Equal(const AffineTransform& a, const AffineTransform& b,
                    float max_error = 0.0f);

 private:
  Point2_f translation_;
  Point2_f scale_{1, 1};
  float rotation_ = 0;
  Point2_f shear_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_AFFINE_TRANSFORM_H_
