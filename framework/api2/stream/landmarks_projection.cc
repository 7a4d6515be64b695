#include "framework/api2/stream/landmarks_projection.h"

#include <array>

#include "absl/strings/string_view.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

Stream<NormalizedLandmarkList> Project(Stream<NormalizedLandmarkList> landmarks,
                                       Stream<> from, absl::string_view tag,
                                       Graph& graph) {
  auto& node = graph.AddNode("LandmarkProjectionCalculator");
  landmarks >> node.In("NORM_LANDMARKS");
  from >> node.In(tag);
  return node.Out("NORM_LANDMARKS").Cast<NormalizedLandmarkList>();
}

}  // namespace

Stream<NormalizedLandmarkList> ProjectLandmarks(
    Stream<NormalizedLandmarkList> landmarks, Stream<NormalizedRect> rect,
    Graph& graph) {
  return Project(landmarks, rect, "NORM_RECT", graph);
}

Stream<NormalizedLandmarkList> ProjectLandmarks(
    Stream<NormalizedLandmarkList> landmarks,
    Stream<std::array<float, 16>> projection_matrix, Graph& graph) {
  return Project(landmarks, projection_matrix, "PROJECTION_MATRIX", graph);
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
