// Smooths landmarks over time.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_SMOOTHING_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_SMOOTHING_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "framework/api2/builder.h"

namespace syncline {

class LandmarkList;
class NormalizedLandmarkList;
class NormalizedRect;
class Rect;

namespace api2 {
namespace builder {

// A low-pass filter whose cutoff rises with the speed of a landmark.
struct OneEuroFilterConfig {
  float frequency = 30.0f;  // how many packets come in a second
  float min_cutoff = 1.0f;
  float beta = 0.0f;
  float derivate_cutoff = 1.0f;
  // Landmarks of an object smaller than this, in pixels, are not smoothed.
  float min_allowed_object_scale = 1e-6f;
  // If true, speeds are in pixels and not relative to the size of the object.
  bool disable_value_scaling = false;
};

// Speeds are relative to the size of `scale_roi`, or of the landmarks if there
// is none.
Stream<NormalizedLandmarkList> SmoothLandmarks(
    Stream<NormalizedLandmarkList> landmarks,
    absl::optional<Stream<NormalizedRect>> scale_roi,
    Stream<std::pair<int, int>> image_size, const OneEuroFilterConfig& config,
    Graph& graph);
Stream<LandmarkList> SmoothLandmarks(Stream<LandmarkList> landmarks,
                                     absl::optional<Stream<Rect>> scale_roi,
                                     const OneEuroFilterConfig& config,
                                     Graph& graph);
// The same for several objects, each of which has the same id in each packet.
Stream<std::vector<NormalizedLandmarkList>> SmoothMultiLandmarks(
    Stream<std::vector<NormalizedLandmarkList>> landmarks,
    Stream<std::vector<std::int64_t>> tracking_ids,
    absl::optional<Stream<std::vector<NormalizedRect>>> scale_roi,
    Stream<std::pair<int, int>> image_size, const OneEuroFilterConfig& config,
    Graph& graph);

// `low_pass_filter_alpha` is the weight of the newest value.
Stream<NormalizedLandmarkList> SmoothLandmarksVisibility(
    Stream<NormalizedLandmarkList> landmarks, float low_pass_filter_alpha,
    Graph& graph);
Stream<LandmarkList> SmoothLandmarksVisibility(Stream<LandmarkList> landmarks,
                                               float low_pass_filter_alpha,
                                               Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_SMOOTHING_H_
