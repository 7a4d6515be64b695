#include "calculators/util/detections_to_rects_calculator.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "calculators/util/geometry.h"
#include "calculators/util/ports.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

constexpr char kDetection[] = "DETECTION";
constexpr char kDetections[] = "DETECTIONS";
constexpr char kImageSize[] = "IMAGE_SIZE";
constexpr char kRect[] = "RECT";
constexpr char kNormRect[] = "NORM_RECT";
constexpr char kRects[] = "RECTS";
constexpr char kNormRects[] = "NORM_RECTS";

bool Turns(const DetectionsToRectsCalculatorOptions& options) {
  return options.has_rotation_vector_start_keypoint_index();
}

absl::Status CheckOptions(const DetectionsToRectsCalculatorOptions& options) {
  if (options.has_rotation_vector_start_keypoint_index() !=
      options.has_rotation_vector_end_keypoint_index()) {
    return absl::InvalidArgumentError(
        "a line has two ends: set both rotation_vector_start_keypoint_index "
        "and rotation_vector_end_keypoint_index, or none");
  }
  if (options.rotation_vector_start_keypoint_index() < 0 ||
      options.rotation_vector_end_keypoint_index() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("key points are counted from 0, but the line goes from ",
                     options.rotation_vector_start_keypoint_index(), " to ",
                     options.rotation_vector_end_keypoint_index()));
  }
  if (Turns(options) &&
      options.has_rotation_vector_target_angle() ==
          options.has_rotation_vector_target_angle_degrees()) {
    return absl::InvalidArgumentError(
        "to which angle is the rectangle to be turned? Set one of "
        "rotation_vector_target_angle and "
        "rotation_vector_target_angle_degrees");
  }
  if (!std::isfinite(options.rotation_vector_target_angle()) ||
      !std::isfinite(options.rotation_vector_target_angle_degrees())) {
    return absl::InvalidArgumentError("the target angle is no finite number");
  }
  return absl::OkStatus();
}

absl::Status NeedsImageSize(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      what,
      " needs the size of the image: connect IMAGE_SIZE, with a packet "
      "at each timestamp of the detections"));
}

float Float(double value) { return static_cast<float>(value); }

int RoundedDown(double value) { return CutToInt(std::floor(value)); }

int Rounded(double value) { return CutToInt(std::round(value)); }

// `number` converts a number to the type of the rectangle's fields.
template <typename RectT, typename Box, typename Number>
RectT RectOf(const Box& box, absl::optional<double> rotation, Number number) {
  RectT rect;
  rect.set_x_center(number(box.x_center));
  rect.set_y_center(number(box.y_center));
  rect.set_width(number(box.width));
  rect.set_height(number(box.height));
  if (rotation.has_value()) rect.set_rotation(Float(*rotation));
  return rect;
}

template <typename RectT>
RectT ZeroRect() {
  RectT rect;
  rect.set_x_center(0);
  rect.set_y_center(0);
  rect.set_width(0);
  rect.set_height(0);
  return rect;
}

}  // namespace

absl::Status DetectionsToRectsCalculator::GetContract(CalculatorContract* cc) {
  SYNCLINE_RETURN_IF_ERROR(
      OneTagOf(cc->Inputs(), {kDetection, kDetections}, "the input").status());
  const auto& options = cc->Options<Options>();
  SYNCLINE_RETURN_IF_ERROR(CheckOptions(options));
  if (Turns(options) && !cc->Inputs().HasTag(kImageSize)) {
    return NeedsImageSize("turning a rectangle");
  }
  cc->Inputs().Tag(kDetection).Set<Detection>().Optional();
  cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>().Optional();
  cc->Inputs().Tag(kImageSize).Set<std::pair<int, int>>().Optional();
  int outputs = 0;
  for (const char* const tag : {kRect, kNormRect, kRects, kNormRects}) {
    outputs += cc->Outputs().HasTag(tag);
  }
  if (outputs == 0) {
    return absl::InvalidArgumentError(
        "what is to come out? Connect RECT, NORM_RECT, RECTS or NORM_RECTS");
  }
  cc->Outputs().Tag(kRect).Set<Rect>().Optional();
  cc->Outputs().Tag(kNormRect).Set<NormalizedRect>().Optional();
  cc->Outputs().Tag(kRects).Set<std::vector<Rect>>().Optional();
  cc->Outputs().Tag(kNormRects).Set<std::vector<NormalizedRect>>().Optional();
  cc->SetTimestampOffset(TimestampDiff(0));
  return absl::OkStatus();
}

absl::Status DetectionsToRectsCalculator::Open(CalculatorContext* cc) {
  const auto& options = cc->Options<Options>();
  turns_ = Turns(options);
  target_angle_ =
      options.has_rotation_vector_target_angle_degrees()
          ? RadiansOf(options.rotation_vector_target_angle_degrees())
          : options.rotation_vector_target_angle();
  return absl::OkStatus();
}

absl::Status DetectionsToRectsCalculator::Process(CalculatorContext* cc) {
  ImageSize image_size;
  if (HasTagValue(cc->Inputs(), kImageSize)) {
    SYNCLINE_ASSIGN_OR_RETURN(image_size, ReadImageSize(cc));
  } else if (turns_) {
    return absl::OkStatus();
  }
  if (HasTagValue(cc->Inputs(), kDetection)) {
    const auto& detection = cc->Inputs().Tag(kDetection).Get<Detection>();
    return Send(absl::MakeConstSpan(&detection, 1), image_size, cc);
  }
  if (HasTagValue(cc->Inputs(), kDetections)) {
    return Send(cc->Inputs().Tag(kDetections).Get<std::vector<Detection>>(),
                image_size, cc);
  }
  return absl::OkStatus();
}

absl::StatusOr<DetectionsToRectsCalculator::Box>
DetectionsToRectsCalculator::BoxOf(const LocationData& location,
                                   const Options& options,
                                   const ImageSize& /*image_size*/) const {
  const auto from_relative =
      [](const LocationData::RelativeBoundingBox& box) -> Box {
    return {box.xmin() + box.width() / 2.0, box.ymin() + box.height() / 2.0,
            box.width(), box.height(), /*in_pixels=*/false};
  };
  if (options.conversion_mode() == Options::USE_KEYPOINTS) {
    if (location.relative_keypoints_size() < 2) {
      return absl::InvalidArgumentError(absl::StrCat(
          "it has ", location.relative_keypoints_size(),
          " key points, but 2 or more key points are required for a rectangle "
          "around them"));
    }
    std::vector<PlanePoint> points;
    for (const auto& point : location.relative_keypoints()) {
      points.push_back({point.x(), point.y()});
    }
    return from_relative(BoxAround(points));
  }
  switch (location.format()) {
    case LocationData::GLOBAL:
      return Box{0.5, 0.5, 1, 1, /*in_pixels=*/false};
    case LocationData::RELATIVE_BOUNDING_BOX:
      return from_relative(location.relative_bounding_box());
    case LocationData::BOUNDING_BOX: {
      const auto& box = location.bounding_box();
      return Box{box.xmin() + box.width() / 2.0,
                 box.ymin() + box.height() / 2.0, double(box.width()),
                 double(box.height()), /*in_pixels=*/true};
    }
    case LocationData::MASK:
      break;
  }
  return absl::InvalidArgumentError(
      "it is a MASK, and not a box of which a rectangle can be made");
}

absl::StatusOr<std::pair<double, double>>
DetectionsToRectsCalculator::KeypointInPixels(const LocationData& location,
                                              int index,
                                              const ImageSize& image_size) {
  if (index >= location.relative_keypoints_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "it has ", location.relative_keypoints_size(),
        " key points, but the options ask for the one with index ", index));
  }
  if (!image_size.has_value()) return NeedsImageSize("a place in pixels");
  const auto& point = location.relative_keypoints(index);
  return std::pair<double, double>(double{point.x()} * image_size->first,
                                   double{point.y()} * image_size->second);
}

absl::StatusOr<DetectionsToRectsCalculator::Box>
DetectionsToRectsCalculator::InPixels(const Box& box,
                                      const ImageSize& image_size) {
  if (box.in_pixels) return box;
  if (!image_size.has_value()) return NeedsImageSize("a rectangle in pixels");
  const auto [width, height] = *image_size;
  return Box{box.x_center * width, box.y_center * height, box.width * width,
             box.height * height, /*in_pixels=*/true};
}

absl::StatusOr<DetectionsToRectsCalculator::Box>
DetectionsToRectsCalculator::InParts(const Box& box,
                                     const ImageSize& image_size) {
  if (!box.in_pixels) return box;
  if (!image_size.has_value()) {
    return NeedsImageSize("a rectangle in parts of the image");
  }
  const auto [width, height] = *image_size;
  return Box{box.x_center / width, box.y_center / height, box.width / width,
             box.height / height, /*in_pixels=*/false};
}

absl::StatusOr<double> DetectionsToRectsCalculator::RotationOf(
    const LocationData& location, const Options& options,
    const ImageSize& image_size) const {
  SYNCLINE_ASSIGN_OR_RETURN(
      (const auto [x0, y0]),
      KeypointInPixels(location, options.rotation_vector_start_keypoint_index(),
                       image_size));
  SYNCLINE_ASSIGN_OR_RETURN(
      (const auto [x1, y1]),
      KeypointInPixels(location, options.rotation_vector_end_keypoint_index(),
                       image_size));
  // The target angle is counter-clockwise with y pointing up, but here y points
  // down.
  return NormalizedRadians(target_angle_ - std::atan2(y0 - y1, x1 - x0));
}

absl::Status DetectionsToRectsCalculator::Send(
    absl::Span<const Detection> detections, const ImageSize& image_size,
    CalculatorContext* cc) const {
  const auto& options = cc->Options<Options>();
  if (detections.empty()) {
    if (!options.output_zero_rect_for_empty_detections()) {
      return absl::OkStatus();
    }
    SendIfConnected(kRect, ZeroRect<Rect>(), cc);
    SendIfConnected(kNormRect, ZeroRect<NormalizedRect>(), cc);
    SendIfConnected(kRects, std::vector<Rect>{ZeroRect<Rect>()}, cc);
    SendIfConnected(kNormRects,
                    std::vector<NormalizedRect>{ZeroRect<NormalizedRect>()},
                    cc);
    return absl::OkStatus();
  }
  const bool all =
      cc->Outputs().HasTag(kRects) || cc->Outputs().HasTag(kNormRects);
  if (!all) detections = detections.subspan(0, 1);
  const bool has_rects =
      cc->Outputs().HasTag(kRect) || cc->Outputs().HasTag(kRects);
  const bool has_norm_rects =
      cc->Outputs().HasTag(kNormRect) || cc->Outputs().HasTag(kNormRects);

  std::vector<Rect> rects;
  std::vector<NormalizedRect> norm_rects;
  for (std::size_t i = 0; i < detections.size(); ++i) {
    const LocationData& location = detections[i].location_data();
    const auto made = [&]() -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const Box box,
                                BoxOf(location, options, image_size));
      absl::optional<double> rotation;
      if (turns_) {
        SYNCLINE_ASSIGN_OR_RETURN(rotation,
                                  RotationOf(location, options, image_size));
      }
      if (has_rects) {
        SYNCLINE_ASSIGN_OR_RETURN(const Box in_pixels,
                                  InPixels(box, image_size));
        rects.push_back(RectOf<Rect>(in_pixels, rotation,
                                     box.in_pixels ? &RoundedDown : &Rounded));
      }
      if (has_norm_rects) {
        SYNCLINE_ASSIGN_OR_RETURN(const Box in_parts, InParts(box, image_size));
        norm_rects.push_back(
            RectOf<NormalizedRect>(in_parts, rotation, &Float));
      }
      return absl::OkStatus();
    }();
    SYNCLINE_RETURN_IF_ERROR(made)
        << "of detection " << i << " at " << cc->InputTimestamp().DebugString();
  }
  if (has_rects) SendIfConnected(kRect, rects.front(), cc);
  if (has_norm_rects) SendIfConnected(kNormRect, norm_rects.front(), cc);
  SendIfConnected(kRects, std::move(rects), cc);
  SendIfConnected(kNormRects, std::move(norm_rects), cc);
  return absl::OkStatus();
}

REGISTER_CALCULATOR(DetectionsToRectsCalculator);

}  // namespace syncline
