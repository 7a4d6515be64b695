// LandmarksToRenderDataCalculator: makes drawings of landmarks and of the lines
// between them.
//
//   node {
//     calculator: "LandmarksToRenderDataCalculator"
//     input_stream: "NORM_LANDMARKS:hand"     # NormalizedLandmarkList
//     input_stream: "RENDER_SCALE:scale"      # float, optional
//     output_stream: "RENDER_DATA:drawing"    # RenderData
//     options { [syncline.LandmarksToRenderDataCalculatorOptions.ext] {
//       landmark_connections: [ 0, 1, 1, 2 ]
//       landmark_color { r: 255 }
//       connection_color { g: 255 } } }
//   }
//
// With LANDMARKS (LandmarkList) instead, places are in pixels. Each landmark is
// drawn as a point, and each connection of two drawn landmarks as a line; a
// connection with an index that the landmarks do not have is left out.
// RENDER_SCALE multiplies thicknesses. The options say which landmarks are
// drawn, and whether their depth is shown. It is by default, if z spans more
// than 0.001: the nearest point (with the least z) is white and as thick as
// max_depth_circle_thickness, the farthest black and as thick as
// min_depth_circle_thickness, and those between have shades of grey.
//
// An empty input sends nothing, and neither do landmarks without a scale at
// their timestamp if RENDER_SCALE is connected; the bound passes through
// (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by render_data_calculators_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "calculators/util/geometry.h"
#include "calculators/util/landmarks_to_render_data_calculator.pb.h"
#include "calculators/util/ports.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "util/color.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using Options = LandmarksToRenderDataCalculatorOptions;

constexpr char kLandmarks[] = "LANDMARKS";
constexpr char kNormLandmarks[] = "NORM_LANDMARKS";
constexpr char kScale[] = "RENDER_SCALE";
constexpr char kRenderData[] = "RENDER_DATA";

// Landmarks whose z differ by less are all at one depth.
constexpr float kLeastDepth = 1e-3f;

// Draws one list of either type.
template <typename List>
class Drawer {
 public:
  Drawer(const Options& options, const List& landmarks, bool normalized,
         double scale)
      : options_(options),
        landmarks_(landmarks),
        normalized_(normalized),
        scale_(scale) {
    for (const auto& landmark : landmarks.landmark()) {
      if (!std::isfinite(landmark.z())) continue;
      nearest_ = std::min(nearest_, landmark.z());
      farthest_ = std::max(farthest_, landmark.z());
    }
    shows_depth_ = options.visualize_landmark_depth() &&
                   farthest_ - nearest_ > kLeastDepth;
  }

  RenderData Draw() {
    for (int i = 0; i + 1 < options_.landmark_connections_size(); i += 2) {
      const int from = options_.landmark_connections(i);
      const int to = options_.landmark_connections(i + 1);
      if (IsDrawn(from) && IsDrawn(to)) AddLine(from, to);
    }
    for (int i = 0; i < landmarks_.landmark_size(); ++i) {
      if (IsDrawn(i)) AddPoint(i);
    }
    return std::move(drawing_);
  }

 private:
  bool IsDrawn(int index) const {
    if (index >= landmarks_.landmark_size()) return false;
    const auto& landmark = landmarks_.landmark(index);
    if (options_.utilize_visibility() &&
        !(landmark.visibility() >= options_.visibility_threshold())) {
      return false;
    }
    return !options_.utilize_presence() ||
           landmark.presence() >= options_.presence_threshold();
  }

  // The depth, from 0 (nearest) to 1.
  double DepthOf(int index) const {
    const double z = landmarks_.landmark(index).z();
    if (!std::isfinite(z)) return 0;
    return (z - nearest_) / (double{farthest_} - nearest_);
  }

  Color ColorAtDepth(double depth) const {
    const Color& near = options_.has_min_depth_line_color()
                            ? options_.min_depth_line_color()
                            : options_.connection_color();
    const Color& far = options_.max_depth_line_color();
    const auto mixed = [depth](int from, int to) {
      return CutToInt(from + (double(to) - from) * depth + 0.5);
    };
    Color color;
    color.set_r(mixed(near.r(), far.r()));
    color.set_g(mixed(near.g(), far.g()));
    color.set_b(mixed(near.b(), far.b()));
    return color;
  }

  static Color GreyAtDepth(double depth) {
    const int grey = 255 - static_cast<int>(255 * depth);
    Color color;
    color.set_r(grey);
    color.set_g(grey);
    color.set_b(grey);
    return color;
  }

  template <typename Line>
  void SetEnds(int from, int to, Line* line) const {
    line->set_x_start(landmarks_.landmark(from).x());
    line->set_y_start(landmarks_.landmark(from).y());
    line->set_x_end(landmarks_.landmark(to).x());
    line->set_y_end(landmarks_.landmark(to).y());
    line->set_normalized(normalized_);
  }

  void AddLine(int from, int to) {
    RenderAnnotation& annotation = *drawing_.add_render_annotations();
    annotation.set_thickness(options_.thickness() * scale_);
    if (shows_depth_) {
      auto& line = *annotation.mutable_gradient_line();
      SetEnds(from, to, &line);
      *line.mutable_color1() = ColorAtDepth(DepthOf(from));
      *line.mutable_color2() = ColorAtDepth(DepthOf(to));
    } else {
      SetEnds(from, to, annotation.mutable_line());
      *annotation.mutable_color() = options_.connection_color();
    }
  }

  void AddPoint(int index) {
    RenderAnnotation& annotation = *drawing_.add_render_annotations();
    double thickness = options_.thickness();
    if (shows_depth_) {
      const double depth = DepthOf(index);
      thickness = options_.max_depth_circle_thickness() -
                  depth * (options_.max_depth_circle_thickness() -
                           options_.min_depth_circle_thickness());
      *annotation.mutable_color() = GreyAtDepth(depth);
    } else {
      *annotation.mutable_color() = options_.landmark_color();
    }
    annotation.set_thickness(thickness * scale_);
    auto& point = *annotation.mutable_point();
    point.set_x(landmarks_.landmark(index).x());
    point.set_y(landmarks_.landmark(index).y());
    point.set_normalized(normalized_);
  }

  const Options& options_;
  const List& landmarks_;
  const bool normalized_;
  const double scale_;
  float nearest_ = INFINITY;
  float farthest_ = -INFINITY;
  bool shows_depth_ = false;
  RenderData drawing_;
};

}  // namespace

class LandmarksToRenderDataCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckNumber(
        "thickness", cc->Options<Options>().thickness(), /*may_be_zero=*/true));
    const auto& connections = cc->Options<Options>().landmark_connections();
    if (connections.size() % 2 != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("landmark_connections are pairs, but there are ",
                       connections.size(), " indexes"));
    }
    for (const int index : connections) {
      if (index < 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "landmark_connections has ", index, ", but counts from 0"));
      }
    }
    SYNCLINE_RETURN_IF_ERROR(
        OneTagOf(cc->Inputs(), {kNormLandmarks, kLandmarks}, "the input")
            .status());
    cc->Inputs().Tag(kLandmarks).Set<LandmarkList>().Optional();
    cc->Inputs().Tag(kNormLandmarks).Set<NormalizedLandmarkList>().Optional();
    cc->Inputs().Tag(kScale).Set<float>().Optional();
    cc->Outputs().Tag(kRenderData).Set<RenderData>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStreamSet& inputs = cc->Inputs();
    double scale = 1;
    if (inputs.HasTag(kScale)) {
      if (inputs.Tag(kScale).IsEmpty()) return absl::OkStatus();
      scale = inputs.Tag(kScale).Get<float>();
    }
    if (HasTagValue(inputs, kLandmarks)) {
      Send<LandmarkList>(kLandmarks, /*normalized=*/false, scale, cc);
    }
    if (HasTagValue(inputs, kNormLandmarks)) {
      Send<NormalizedLandmarkList>(kNormLandmarks, /*normalized=*/true, scale,
                                   cc);
    }
    return absl::OkStatus();
  }

 private:
  template <typename List>
  static void Send(const char* tag, bool normalized, double scale,
                   CalculatorContext* cc) {
    Drawer<List> drawer(cc->Options<Options>(),
                        cc->Inputs().Tag(tag).Get<List>(), normalized, scale);
    cc->Outputs()
        .Tag(kRenderData)
        .AddPacket(
            MakePacket<RenderData>(drawer.Draw()).At(cc->InputTimestamp()));
  }
};
REGISTER_CALCULATOR(LandmarksToRenderDataCalculator);

}  // namespace syncline
