#include "calculators/vision/match_boxes.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace syncline {
namespace {

struct Pair {
  double overlap;
  int track;
  int detection;
};

}  // namespace

std::vector<int> MatchBoxes(const std::vector<Box>& tracks,
                            const std::vector<Box>& detections,
                            double min_overlap,
                            const std::function<bool(int, int)>& may_match) {
  std::vector<Pair> pairs;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    for (std::size_t d = 0; d < detections.size(); ++d) {
      const double overlap = IntersectionOverUnion(tracks[t], detections[d]);
      const Pair pair{overlap, static_cast<int>(t), static_cast<int>(d)};
      if (overlap >= min_overlap && may_match(pair.track, pair.detection)) {
        pairs.push_back(pair);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(b.overlap, a.track, a.detection) <
           std::tie(a.overlap, b.track, b.detection);
  });
  std::vector<int> detection_of(tracks.size(), -1);
  std::vector<bool> is_taken(detections.size(), false);
  for (const Pair& pair : pairs) {
    int& detection = detection_of[static_cast<std::size_t>(pair.track)];
    if (detection >= 0 || is_taken[static_cast<std::size_t>(pair.detection)]) {
      continue;
    }
    detection = pair.detection;
    is_taken[static_cast<std::size_t>(pair.detection)] = true;
  }
  return detection_of;
}

}  // namespace syncline
