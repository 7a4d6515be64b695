#include "framework/formats/affine_transform.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/affine_transform_data.pb.h"
#include "framework/formats/point2.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {

// Translation, scale, rotation and shear, each number in four bytes.
template <>
struct ValueBytes<AffineTransform> {
  static void Append(const AffineTransform& transform, std::string* bytes) {
    for (const float number :
         {transform.translation().x(), transform.translation().y(),
          transform.scale().x(), transform.scale().y(), transform.rotation(),
          transform.shear().x(), transform.shear().y()}) {
      packet_internal::AppendNumber(number, bytes);
    }
  }
  static absl::StatusOr<AffineTransform> Read(absl::string_view bytes) {
    float numbers[7];
    for (float& number : numbers) {
      if (!packet_internal::TakeNumber(&bytes, &number)) return NoTransform();
    }
    if (!bytes.empty()) return NoTransform();
    return AffineTransform::Create(Point2_f(numbers[0], numbers[1]),
                                   Point2_f(numbers[2], numbers[3]), numbers[4],
                                   Point2_f(numbers[5], numbers[6]));
  }

 private:
  static absl::Status NoTransform() {
    return absl::InvalidArgumentError(
        "an affine transform has 28 bytes: seven numbers");
  }
};

namespace {

SYNCLINE_REGISTER_TYPE(AffineTransform, "::syncline::AffineTransform",
                       WriteValueBytes<AffineTransform>,
                       ReadValueBytes<AffineTransform>);

Point2_f Sum(const Point2_f& a, const Point2_f& b) {
  return Point2_f(a.x() + b.x(), a.y() + b.y());
}

void Write(const Point2_f& from, Vector2Data* to) {
  to->set_x(from.x());
  to->set_y(from.y());
}

// The point that `from` holds; a field that is not set is `unset`.
Point2_f Read(const Vector2Data& from, float unset) {
  return Point2_f(from.has_x() ? from.x() : unset,
                  from.has_y() ? from.y() : unset);
}

// A NaN is near to nothing, since every comparison with it is false.
bool IsNear(const Point2_f& a, const Point2_f& b, float max_error) {
  return std::abs(a.x() - b.x()) <= max_error &&
         std::abs(a.y() - b.y()) <= max_error;
}

}  // namespace

AffineTransform AffineTransform::Create(const Point2_f& translation,
                                        const Point2_f& scale, float rotation,
                                        const Point2_f& shear) {
  AffineTransform transform;
  transform.translation_ = translation;
  transform.scale_ = scale;
  transform.rotation_ = rotation;
  transform.shear_ = shear;
  return transform;
}

void AffineTransform::AddTranslation(const Point2_f& by) {
  translation_ = Sum(translation_, by);
}

void AffineTransform::AddScale(const Point2_f& by) { scale_ = Sum(scale_, by); }

void AffineTransform::AddShear(const Point2_f& by) { shear_ = Sum(shear_, by); }

Point2_f AffineTransform::Transform(const Point2_f& point) const {
  const float scaled_x = point.x() * scale_.x();
  const float scaled_y = point.y() * scale_.y();
  const float x = scaled_x + shear_.x() * scaled_y;
  const float y = scaled_y + shear_.y() * scaled_x;
  const float sine = std::sin(rotation_);
  const float cosine = std::cos(rotation_);
  return Point2_f(cosine * x - sine * y + translation_.x(),
                  sine * x + cosine * y + translation_.y());
}

void AffineTransform::SetFromProto(const AffineTransformData& proto) {
  translation_ = Read(proto.translation(), 0);
  scale_ = Read(proto.scale(), 1);
  shear_ = Read(proto.shear(), 0);
  rotation_ = proto.rotation();
}

void AffineTransform::ConvertToProto(AffineTransformData* proto) const {
  proto->Clear();
  Write(translation_, proto->mutable_translation());
  Write(scale_, proto->mutable_scale());
  Write(shear_, proto->mutable_shear());
  proto->set_rotation(rotation_);
}

AffineTransformData AffineTransform::ConvertToProto() const {
  AffineTransformData proto;
  ConvertToProto(&proto);
  return proto;
}

bool AffineTransform::Equal(const AffineTransform& a, const AffineTransform& b,
                            float max_error) {
  return IsNear(a.translation_, b.translation_, max_error) &&
         IsNear(a.scale_, b.scale_, max_error) &&
         IsNear(a.shear_, b.shear_, max_error) &&
         std::abs(a.rotation_ - b.rotation_) <= max_error;
}

}  // namespace syncline
