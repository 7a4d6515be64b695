#include "framework/api2/stream/detections_to_rects.h"

#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "calculators/util/detections_to_rects_calculator.pb.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ImageSize = std::pair<int, int>;
constexpr char kAlignmentPoints[] = "AlignmentPointsRectsCalculator";
constexpr char kDetections[] = "DetectionsToRectsCalculator";

GenericNode& AddToRects(absl::string_view calculator, absl::string_view tag,
                        Stream<> detections, Stream<ImageSize> image_size,
                        int start_keypoint_index, int end_keypoint_index,
                        float target_angle, Graph& graph) {
  GenericNode& node = graph.AddNode(calculator);
  auto& options = node.GetOptions<DetectionsToRectsCalculatorOptions>();
  options.set_rotation_vector_start_keypoint_index(start_keypoint_index);
  options.set_rotation_vector_end_keypoint_index(end_keypoint_index);
  options.set_rotation_vector_target_angle_degrees(target_angle);
  detections >> node.In(tag);
  image_size >> node.In("IMAGE_SIZE");
  return node;
}

}  // namespace

Stream<NormalizedRect> ConvertAlignmentPointsDetectionToRect(
    Stream<Detection> detection, Stream<ImageSize> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph) {
  return AddToRects(kAlignmentPoints, "DETECTION", detection, image_size,
                    start_keypoint_index, end_keypoint_index, target_angle,
                    graph)
      .Out("NORM_RECT")
      .Cast<NormalizedRect>();
}

Stream<NormalizedRect> ConvertAlignmentPointsDetectionsToRect(
    Stream<std::vector<Detection>> detections, Stream<ImageSize> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph) {
  return AddToRects(kAlignmentPoints, "DETECTIONS", detections, image_size,
                    start_keypoint_index, end_keypoint_index, target_angle,
                    graph)
      .Out("NORM_RECT")
      .Cast<NormalizedRect>();
}

Stream<NormalizedRect> ConvertDetectionToRect(Stream<Detection> detection,
                                              Stream<ImageSize> image_size,
                                              int start_keypoint_index,
                                              int end_keypoint_index,
                                              float target_angle,
                                              Graph& graph) {
  return AddToRects(kDetections, "DETECTION", detection, image_size,
                    start_keypoint_index, end_keypoint_index, target_angle,
                    graph)
      .Out("NORM_RECT")
      .Cast<NormalizedRect>();
}

Stream<std::vector<NormalizedRect>> ConvertDetectionsToRects(
    Stream<std::vector<Detection>> detections, Stream<ImageSize> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph) {
  return AddToRects(kDetections, "DETECTIONS", detections, image_size,
                    start_keypoint_index, end_keypoint_index, target_angle,
                    graph)
      .Out("NORM_RECTS")
      .Cast<std::vector<NormalizedRect>>();
}

Stream<NormalizedRect> ConvertDetectionsToRectUsingKeypoints(
    Stream<std::vector<Detection>> detections, Stream<ImageSize> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph) {
  GenericNode& node =
      AddToRects(kDetections, "DETECTIONS", detections, image_size,
                 start_keypoint_index, end_keypoint_index, target_angle, graph);
  node.GetOptions<DetectionsToRectsCalculatorOptions>().set_conversion_mode(
      DetectionsToRectsCalculatorOptions::USE_KEYPOINTS);
  return node.Out("NORM_RECT").Cast<NormalizedRect>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
