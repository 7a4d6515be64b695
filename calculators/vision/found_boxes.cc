#include "calculators/vision/found_boxes.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "framework/formats/location_data.pb.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

// How much sides of two boxes of a group may differ, relative to their size.
constexpr double kAlike = 0.2;

int Distance(int a, int b) { return a < b ? b - a : a - b; }

bool AreAlike(const cv::Rect& a, const cv::Rect& b) {
  const double delta =
      kAlike * (std::min(a.width, b.width) + std::min(a.height, b.height)) *
      0.5;
  return Distance(a.x, b.x) <= delta && Distance(a.y, b.y) <= delta &&
         Distance(a.br().x, b.br().x) <= delta &&
         Distance(a.br().y, b.br().y) <= delta;
}

// The mean of the members.
struct Group {
  double x = 0, y = 0, width = 0, height = 0, weight = 0;
  int members = 0;

  void Add(const FoundBox& found) {
    x += found.box.x;
    y += found.box.y;
    width += found.box.width;
    height += found.box.height;
    weight = members == 0 ? found.weight : std::max(weight, found.weight);
    ++members;
  }
  FoundBox Mean() const {
    return {{cvRound(x / members), cvRound(y / members),
             cvRound(width / members), cvRound(height / members)},
            weight,
            members};
  }
};

}  // namespace

void SortFoundBoxes(std::vector<FoundBox>* found) {
  std::sort(
      found->begin(), found->end(), [](const FoundBox& a, const FoundBox& b) {
        return std::tie(a.box.y, a.box.x, a.box.width, a.box.height, b.weight) <
               std::tie(b.box.y, b.box.x, b.box.width, b.box.height, a.weight);
      });
}

std::vector<FoundBox> GroupFoundBoxes(std::vector<FoundBox> found,
                                      int min_neighbors) {
  SortFoundBoxes(&found);
  // OpenCV may not be given an empty vector to partition.
  if (min_neighbors == 0 || found.empty()) return found;
  std::vector<int> labels;
  const int count =
      cv::partition(found, labels, [](const FoundBox& a, const FoundBox& b) {
        return AreAlike(a.box, b.box);
      });
  std::vector<Group> groups(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < found.size(); ++i) {
    groups[static_cast<std::size_t>(labels[i])].Add(found[i]);
  }
  std::vector<FoundBox> result;
  for (const Group& group : groups) {
    if (group.members > min_neighbors) result.push_back(group.Mean());
  }
  SortFoundBoxes(&result);
  return result;
}

Detection MakeDetection(const cv::Rect& found, cv::Size searched, double score,
                        const std::string& label, Timestamp timestamp) {
  const cv::Rect box = found & cv::Rect({0, 0}, searched);
  Detection detection;
  detection.add_label(label);
  detection.add_score(static_cast<float>(score));
  detection.set_timestamp_usec(timestamp.Microseconds());
  LocationData& location = *detection.mutable_location_data();
  location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
  LocationData::RelativeBoundingBox& relative =
      *location.mutable_relative_bounding_box();
  relative.set_xmin(static_cast<float>(box.x) / searched.width);
  relative.set_ymin(static_cast<float>(box.y) / searched.height);
  relative.set_width(static_cast<float>(box.width) / searched.width);
  relative.set_height(static_cast<float>(box.height) / searched.height);
  return detection;
}

}  // namespace syncline
