// LandmarkProjectionCalculator: converts landmarks in a part of an image to
// landmarks in the whole image.
//
//   node {
//     calculator: "LandmarkProjectionCalculator"
//     input_stream: "NORM_LANDMARKS:in_crop"    # NormalizedLandmarkList
//     input_stream: "NORM_RECT:crop"            # NormalizedRect
//     output_stream: "NORM_LANDMARKS:in_image"
//   }
//
//   inputs
//     NORM_LANDMARKS        several may be given, each with its output
//     and where they are, one of
//     NORM_RECT             a rectangle of the image, which may be turned; with
//       IMAGE_DIMENSIONS    the size of the image (std::pair<int, int>),
//                           optional
//     PROJECTION_MATRIX     std::array<float, 16>, by rows: maps the part, from
//                           0 to 1, to the image
//
// In the output, a landmark's x and y are relative to the image instead of the
// rectangle, and z is scaled as x is. A rectangle that is turned must be a
// square in pixels, unless IMAGE_DIMENSIONS is given. The other fields of a
// landmark are kept.
//
// An empty input sends nothing, nor do landmarks without a rectangle or matrix
// at the same timestamp; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by landmark_calculators_test.
#include <cmath>
#include <functional>
#include <utility>

#include "absl/types/optional.h"
#include "calculators/util/geometry.h"
#include "calculators/util/landmark_projection_calculator.pb.h"
#include "calculators/util/ports.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

constexpr char kLandmarks[] = "NORM_LANDMARKS";
constexpr char kRect[] = "NORM_RECT";
constexpr char kMatrix[] = "PROJECTION_MATRIX";
constexpr char kDimensions[] = "IMAGE_DIMENSIONS";

// The projection from the part to the image.
struct Place {
  std::function<PlanePoint(const NormalizedLandmark&)> project;
  double z_scale;
};

Place PlaceOfRect(const NormalizedRect& rect, bool ignore_rotation,
                  absl::optional<std::pair<int, int>> image_size) {
  // The rotation is in pixels if the image's size is known; otherwise in sides
  // of the rectangle.
  PlanePoint to_turn = {1, 1};
  PlanePoint to_image = {rect.width(), rect.height()};
  if (image_size.has_value()) {
    const auto [width, height] = *image_size;
    to_turn = {double{rect.width()} * width, double{rect.height()} * height};
    to_image = {1.0 / width, 1.0 / height};
  }
  const PlanePoint centre = {rect.x_center(), rect.y_center()};
  const double rotation = ignore_rotation ? 0 : rect.rotation();
  const auto project = [=](const NormalizedLandmark& landmark) {
    const PlanePoint turned = Turned(
        {(landmark.x() - 0.5) * to_turn.x, (landmark.y() - 0.5) * to_turn.y},
        rotation);
    return PlanePoint{centre.x + turned.x * to_image.x,
                      centre.y + turned.y * to_image.y};
  };
  return {project, rect.width()};
}

Place PlaceOfMatrix(const ProjectionMatrix& matrix) {
  const auto project = [&matrix](const NormalizedLandmark& landmark) {
    return Project(matrix, landmark.x(), landmark.y(), landmark.z());
  };
  return {project, std::hypot(matrix[0], matrix[4])};
}

}  // namespace

class LandmarkProjectionCalculator : public CalculatorBase {
 public:
  using Options = LandmarkProjectionCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        OneTagOf(cc->Inputs(), {kRect, kMatrix}, "the place of the landmarks")
            .status());
    const int lists = cc->Inputs().NumEntries(kLandmarks);
    if (lists == 0 || lists != cc->Outputs().NumEntries(kLandmarks)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "each NORM_LANDMARKS that comes in goes out, at least one, but ",
          lists, " come in and ", cc->Outputs().NumEntries(kLandmarks),
          " go out"));
    }
    for (int i = 0; i < lists; ++i) {
      cc->Inputs().Get(kLandmarks, i).Set<NormalizedLandmarkList>();
      cc->Outputs().Get(kLandmarks, i).Set<NormalizedLandmarkList>();
    }
    cc->Inputs().Tag(kRect).Set<NormalizedRect>().Optional();
    cc->Inputs().Tag(kMatrix).Set<ProjectionMatrix>().Optional();
    cc->Inputs().Tag(kDimensions).Set<std::pair<int, int>>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(const absl::optional<Place> place, ReadPlace(cc));
    if (!place.has_value()) return absl::OkStatus();
    for (int i = 0; i < cc->Inputs().NumEntries(kLandmarks); ++i) {
      const InputStream& input = cc->Inputs().Get(kLandmarks, i);
      if (input.IsEmpty()) continue;
      auto landmarks = input.Get<NormalizedLandmarkList>();
      for (NormalizedLandmark& landmark : *landmarks.mutable_landmark()) {
        const PlanePoint point = place->project(landmark);
        landmark.set_x(static_cast<float>(point.x));
        landmark.set_y(static_cast<float>(point.y));
        landmark.set_z(static_cast<float>(landmark.z() * place->z_scale));
      }
      cc->Outputs()
          .Get(kLandmarks, i)
          .AddPacket(MakePacket<NormalizedLandmarkList>(std::move(landmarks))
                         .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  // Null if no place came.
  static absl::StatusOr<absl::optional<Place>> ReadPlace(
      const CalculatorContext* cc) {
    const InputStreamSet& inputs = cc->Inputs();
    if (HasTagValue(inputs, kMatrix)) {
      return PlaceOfMatrix(inputs.Tag(kMatrix).Get<ProjectionMatrix>());
    }
    if (!HasTagValue(inputs, kRect)) return absl::nullopt;
    absl::optional<std::pair<int, int>> image_size;
    if (inputs.HasTag(kDimensions)) {
      if (inputs.Tag(kDimensions).IsEmpty()) return absl::nullopt;
      SYNCLINE_ASSIGN_OR_RETURN(image_size, ReadImageSize(cc, kDimensions));
    }
    return PlaceOfRect(inputs.Tag(kRect).Get<NormalizedRect>(),
                       cc->Options<Options>().ignore_rotation(), image_size);
  }
};
REGISTER_CALCULATOR(LandmarkProjectionCalculator);

}  // namespace syncline
