#include "framework/api2/stream/smoothing.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "calculators/util/landmarks_smoothing_calculator.pb.h"
#include "calculators/util/visibility_smoothing_calculator.pb.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ImageSize = std::pair<int, int>;
constexpr char kNormLandmarks[] = "NORM_LANDMARKS";
constexpr char kNormFiltered[] = "NORM_FILTERED_LANDMARKS";
constexpr char kScaleRoi[] = "OBJECT_SCALE_ROI";

GenericNode& AddSmoothing(absl::string_view calculator,
                          const OneEuroFilterConfig& config, Graph& graph) {
  GenericNode& node = graph.AddNode(calculator);
  auto& filter = *node.GetOptions<LandmarksSmoothingCalculatorOptions>()
                      .mutable_one_euro_filter();
  filter.set_frequency(config.frequency);
  filter.set_min_cutoff(config.min_cutoff);
  filter.set_beta(config.beta);
  filter.set_derivate_cutoff(config.derivate_cutoff);
  filter.set_min_allowed_object_scale(config.min_allowed_object_scale);
  filter.set_disable_value_scaling(config.disable_value_scaling);
  return node;
}

GenericNode& AddVisibilitySmoothing(float low_pass_filter_alpha, Graph& graph) {
  GenericNode& node = graph.AddNode("VisibilitySmoothingCalculator");
  node.GetOptions<VisibilitySmoothingCalculatorOptions>()
      .mutable_low_pass_filter()
      ->set_alpha(low_pass_filter_alpha);
  return node;
}

}  // namespace

Stream<NormalizedLandmarkList> SmoothLandmarks(
    Stream<NormalizedLandmarkList> landmarks,
    absl::optional<Stream<NormalizedRect>> scale_roi,
    Stream<ImageSize> image_size, const OneEuroFilterConfig& config,
    Graph& graph) {
  auto& node = AddSmoothing("LandmarksSmoothingCalculator", config, graph);
  landmarks >> node.In(kNormLandmarks);
  image_size >> node.In("IMAGE_SIZE");
  if (scale_roi.has_value()) *scale_roi >> node.In(kScaleRoi);
  return node.Out(kNormFiltered).Cast<NormalizedLandmarkList>();
}

Stream<LandmarkList> SmoothLandmarks(Stream<LandmarkList> landmarks,
                                     absl::optional<Stream<Rect>> scale_roi,
                                     const OneEuroFilterConfig& config,
                                     Graph& graph) {
  auto& node = AddSmoothing("LandmarksSmoothingCalculator", config, graph);
  landmarks >> node.In("LANDMARKS");
  if (scale_roi.has_value()) *scale_roi >> node.In(kScaleRoi);
  return node.Out("FILTERED_LANDMARKS").Cast<LandmarkList>();
}

Stream<std::vector<NormalizedLandmarkList>> SmoothMultiLandmarks(
    Stream<std::vector<NormalizedLandmarkList>> landmarks,
    Stream<std::vector<std::int64_t>> tracking_ids,
    absl::optional<Stream<std::vector<NormalizedRect>>> scale_roi,
    Stream<ImageSize> image_size, const OneEuroFilterConfig& config,
    Graph& graph) {
  auto& node = AddSmoothing("MultiLandmarksSmoothingCalculator", config, graph);
  landmarks >> node.In(kNormLandmarks);
  tracking_ids >> node.In("TRACKING_IDS");
  image_size >> node.In("IMAGE_SIZE");
  if (scale_roi.has_value()) *scale_roi >> node.In(kScaleRoi);
  return node.Out(kNormFiltered).Cast<std::vector<NormalizedLandmarkList>>();
}

Stream<NormalizedLandmarkList> SmoothLandmarksVisibility(
    Stream<NormalizedLandmarkList> landmarks, float low_pass_filter_alpha,
    Graph& graph) {
  auto& node = AddVisibilitySmoothing(low_pass_filter_alpha, graph);
  landmarks >> node.In(kNormLandmarks);
  return node.Out(kNormFiltered).Cast<NormalizedLandmarkList>();
}

Stream<LandmarkList> SmoothLandmarksVisibility(Stream<LandmarkList> landmarks,
                                               float low_pass_filter_alpha,
                                               Graph& graph) {
  auto& node = AddVisibilitySmoothing(low_pass_filter_alpha, graph);
  landmarks >> node.In("LANDMARKS");
  return node.Out("FILTERED_LANDMARKS").Cast<LandmarkList>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
