// RectTransformationCalculator: turns, shifts and scales rectangles and makes
// them square, in this order: turn, shift, square, scale.
//
//   node {
//     calculator: "RectTransformationCalculator"
//     input_stream: "NORM_RECT:face"        # NormalizedRect
//     input_stream: "IMAGE_SIZE:size"       # std::pair<int, int>
//     output_stream: "larger_face"          # NormalizedRect
//     options { [syncline.RectTransformationCalculatorOptions.ext] {
//       scale_x: 1.5
//       scale_y: 1.5
//       square_long: true } }
//   }
//
//   input, one of
//     RECT, RECTS              Rect, or a vector of them
//     NORM_RECT, NORM_RECTS    NormalizedRect, or a vector of them; together
//                              with IMAGE_SIZE, since angles and squares are
//                              those of the pixels
//
// The output has the type of the input; an id is kept. Fractions of a pixel are
// cut off. An empty input sends nothing, and so do rectangles without an
// IMAGE_SIZE at their timestamp; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by rect_calculators_test.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "calculators/util/geometry.h"
#include "calculators/util/ports.h"
#include "calculators/util/rect_transformation_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

using Options = RectTransformationCalculatorOptions;

constexpr char kRect[] = "RECT";
constexpr char kRects[] = "RECTS";
constexpr char kNormRect[] = "NORM_RECT";
constexpr char kNormRects[] = "NORM_RECTS";
constexpr char kImageSize[] = "IMAGE_SIZE";

absl::Status CheckOptions(const Options& options) {
  if (options.has_rotation() && options.has_rotation_degrees()) {
    return absl::InvalidArgumentError(
        "set one of rotation and rotation_degrees, not both");
  }
  if (options.square_long() && options.square_short()) {
    return absl::InvalidArgumentError(
        "a square has one side: set square_long or square_short, not both");
  }
  for (const float value :
       {options.scale_x(), options.scale_y(), options.rotation(),
        options.shift_x(), options.shift_y()}) {
    if (!std::isfinite(value)) {
      return absl::InvalidArgumentError(
          "scales, shifts and rotation are finite numbers");
    }
  }
  return absl::OkStatus();
}

void SetNumber(double value, void (Rect::*set)(int), Rect* rect) {
  (rect->*set)(CutToInt(value));
}
void SetNumber(double value, void (NormalizedRect::*set)(float),
               NormalizedRect* rect) {
  (rect->*set)(static_cast<float>(value));
}

}  // namespace

class RectTransformationCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckOptions(cc->Options<Options>()));
    SYNCLINE_ASSIGN_OR_RETURN(
        const absl::string_view tag,
        OneTagOf(cc->Inputs(), {kRect, kRects, kNormRect, kNormRects},
                 "the input"));
    cc->Inputs().Tag(kRect).Set<Rect>().Optional();
    cc->Inputs().Tag(kRects).Set<std::vector<Rect>>().Optional();
    cc->Inputs().Tag(kNormRect).Set<NormalizedRect>().Optional();
    cc->Inputs().Tag(kNormRects).Set<std::vector<NormalizedRect>>().Optional();
    cc->Inputs().Tag(kImageSize).Set<std::pair<int, int>>().Optional();
    if ((tag == kNormRect || tag == kNormRects) &&
        !cc->Inputs().HasTag(kImageSize)) {
      return absl::InvalidArgumentError(
          absl::StrCat("angles and squares are those of the pixels: ", tag,
                       " needs IMAGE_SIZE"));
    }
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Tag(tag));
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<Options>();
    rotation_ = options_.has_rotation_degrees()
                    ? RadiansOf(options_.rotation_degrees())
                    : options_.rotation();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStreamSet& inputs = cc->Inputs();
    if (HasTagValue(inputs, kRect)) Send<Rect>(kRect, 1, 1, cc);
    if (HasTagValue(inputs, kRects)) SendAll<Rect>(kRects, 1, 1, cc);
    const bool has_norm_rect = HasTagValue(inputs, kNormRect);
    const bool has_norm_rects = HasTagValue(inputs, kNormRects);
    if (!(has_norm_rect || has_norm_rects) ||
        !HasTagValue(inputs, kImageSize)) {
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN((const auto [width, height]), ReadImageSize(cc));
    if (has_norm_rect) Send<NormalizedRect>(kNormRect, width, height, cc);
    if (has_norm_rects) SendAll<NormalizedRect>(kNormRects, width, height, cc);
    return absl::OkStatus();
  }

 private:
  template <typename RectT>
  void Send(const char* tag, double x_unit, double y_unit,
            CalculatorContext* cc) const {
    RectT rect = cc->Inputs().Tag(tag).Get<RectT>();
    Transform(x_unit, y_unit, &rect);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<RectT>(std::move(rect)).At(cc->InputTimestamp()));
  }
  template <typename RectT>
  void SendAll(const char* tag, double x_unit, double y_unit,
               CalculatorContext* cc) const {
    auto rects = cc->Inputs().Tag(tag).Get<std::vector<RectT>>();
    for (RectT& rect : rects) Transform(x_unit, y_unit, &rect);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<RectT>>(std::move(rects))
            .At(cc->InputTimestamp()));
  }

  // The size in pixels of the unit of the rectangle's numbers.
  template <typename RectT>
  void Transform(double x_unit, double y_unit, RectT* rect) const {
    double width = rect->width() * x_unit;
    double height = rect->height() * y_unit;
    double rotation = rect->rotation();
    if (rotation_ != 0) {
      rotation = NormalizedRadians(rotation + rotation_);
      rect->set_rotation(static_cast<float>(rotation));
    }
    const PlanePoint shift = Turned(
        {width * options_.shift_x(), height * options_.shift_y()}, rotation);
    if (options_.square_long()) {
      width = height = std::max(width, height);
    } else if (options_.square_short()) {
      width = height = std::min(width, height);
    }
    SetNumber(rect->x_center() + shift.x / x_unit, &RectT::set_x_center, rect);
    SetNumber(rect->y_center() + shift.y / y_unit, &RectT::set_y_center, rect);
    SetNumber(width * options_.scale_x() / x_unit, &RectT::set_width, rect);
    SetNumber(height * options_.scale_y() / y_unit, &RectT::set_height, rect);
  }

  Options options_;
  double rotation_ = 0;  // to be added, in radians
};
REGISTER_CALCULATOR(RectTransformationCalculator);

}  // namespace syncline
