// NonMaxSuppressionCalculator: sends only the best of detections that overlap.
//
//   node {
//     calculator: "NonMaxSuppressionCalculator"
//     input_stream: "candidates"            # std::vector<Detection>, one or
//     output_stream: "detections"           #   several streams
//     options { [syncline.NonMaxSuppressionCalculatorOptions.ext] {
//       min_suppression_threshold: 0.3
//       overlap_type: INTERSECTION_OVER_UNION } }
//   }
//
// A detection is compared by its highest score, and only the label of that
// score is kept. The best detection is kept, and all whose boxes are more
// similar to it than the threshold are left out; then the best of the rest is
// kept, and so on. The output is sorted, with the highest score first. The
// options say how similarity is computed, and whether the best becomes a mean
// of those that it replaces.
//
// Boxes in pixels need the size of the image: the input IMAGE (ImageFrame),
// with a packet at each of their timestamps. A detection without a box ends the
// run with an error.
//
// If no detections come nothing is sent, unless the options ask for an empty
// vector; the bound passes through (timestamp offset 0). If none that come
// reaches min_score_threshold, the vector that is sent is empty.
//
// Thread rule: no state of its own.
// Tested by detection_calculators_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/util/geometry.h"
#include "calculators/util/non_max_suppression_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/location_data.pb.h"
#include "framework/port/rectangle.h"
#include "util/rectangle_util.h"

namespace syncline {
namespace {

using Options = NonMaxSuppressionCalculatorOptions;
constexpr char kImage[] = "IMAGE";

struct Candidate {
  Detection detection;
  Rectangle_f box;
  float score;
};

// The detection, with only its best label.
Detection WithBestLabel(const Detection& detection) {
  Detection result = detection;
  if (detection.score().empty()) return result;
  int best = 0;
  for (int i = 1; i < detection.score_size(); ++i) {
    if (detection.score(i) > detection.score(best)) best = i;
  }
  result.clear_score();
  result.add_score(detection.score(best));
  result.clear_label();
  if (best < detection.label_size()) result.add_label(detection.label(best));
  result.clear_label_id();
  if (best < detection.label_id_size()) {
    result.add_label_id(detection.label_id(best));
  }
  result.clear_display_name();
  if (best < detection.display_name_size()) {
    result.add_display_name(detection.display_name(best));
  }
  return result;
}

// A NaN is not a score: it comes last.
float ScoreOf(const Detection& detection) {
  const float score = detection.score().empty() ? 0 : detection.score(0);
  return std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
}

bool HaveSameLabel(const Detection& a, const Detection& b) {
  return std::equal(a.label().begin(), a.label().end(), b.label().begin(),
                    b.label().end()) &&
         std::equal(a.label_id().begin(), a.label_id().end(),
                    b.label_id().begin(), b.label_id().end());
}

float SimilarityOf(const Candidate& better, const Candidate& other,
                   const Options& options) {
  if (options.multiclass_nms() &&
      !HaveSameLabel(better.detection, other.detection)) {
    return 0;
  }
  if (options.overlap_type() == Options::INTERSECTION_OVER_UNION) {
    return CalculateIou(better.box, other.box);
  }
  const float common = better.box.Intersect(other.box).Area();
  const float whole = options.overlap_type() == Options::MODIFIED_JACCARD
                          ? other.box.Area()
                          : better.box.Union(other.box).Area();
  return whole > 0 ? common / whole : 0;
}

// Gives the first detection the mean box and key points of all, weighted by
// their scores. Detections with another number of key points than the first
// only count for the box.
void TakeWeightedMean(const std::vector<const Candidate*>& group,
                      Detection* result) {
  double total = 0;
  for (const Candidate* one : group) total += std::max(one->score, 0.0f);
  if (!(total > 0) || !std::isfinite(total)) return;
  double xmin = 0, ymin = 0, width = 0, height = 0;
  for (const Candidate* one : group) {
    const double weight = std::max(one->score, 0.0f) / total;
    xmin += one->box.xmin() * weight;
    ymin += one->box.ymin() * weight;
    width += one->box.Width() * weight;
    height += one->box.Height() * weight;
  }
  LocationData& location = *result->mutable_location_data();
  location.clear_bounding_box();
  location.clear_mask();
  location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
  auto& box = *location.mutable_relative_bounding_box();
  box.set_xmin(static_cast<float>(xmin));
  box.set_ymin(static_cast<float>(ymin));
  box.set_width(static_cast<float>(width));
  box.set_height(static_cast<float>(height));

  for (int i = 0; i < location.relative_keypoints_size(); ++i) {
    double x = 0, y = 0, weights = 0;
    for (const Candidate* one : group) {
      const auto& points = one->detection.location_data().relative_keypoints();
      if (points.size() != location.relative_keypoints_size()) continue;
      const double weight = std::max(one->score, 0.0f);
      x += points[i].x() * weight;
      y += points[i].y() * weight;
      weights += weight;
    }
    if (!(weights > 0)) continue;
    location.mutable_relative_keypoints(i)->set_x(
        static_cast<float>(x / weights));
    location.mutable_relative_keypoints(i)->set_y(
        static_cast<float>(y / weights));
  }
}

// `candidates` are sorted, with the best first.
std::vector<Detection> Suppress(std::vector<Candidate> candidates,
                                const Options& options) {
  const std::size_t most =
      options.max_num_detections() < 0
          ? candidates.size()
          : static_cast<std::size_t>(options.max_num_detections());
  std::vector<Detection> result;
  std::vector<bool> is_gone(candidates.size(), false);
  for (std::size_t i = 0; i < candidates.size() && result.size() < most; ++i) {
    if (is_gone[i]) continue;
    std::vector<const Candidate*> group = {&candidates[i]};
    for (std::size_t j = i + 1; j < candidates.size(); ++j) {
      if (is_gone[j] || !(SimilarityOf(candidates[i], candidates[j], options) >
                          options.min_suppression_threshold())) {
        continue;
      }
      is_gone[j] = true;
      group.push_back(&candidates[j]);
    }
    Detection best = candidates[i].detection;
    if (options.algorithm() == Options::WEIGHTED && group.size() > 1) {
      TakeWeightedMean(group, &best);
    }
    result.push_back(std::move(best));
  }
  return result;
}

}  // namespace

class NonMaxSuppressionCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    const int streams = cc->Inputs().NumEntries("");
    if (streams == 0 || (options.has_num_detection_streams() &&
                         options.num_detection_streams() != streams)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "num_detection_streams is ", options.num_detection_streams(),
          ", but ", streams, " inputs without a tag are connected"));
    }
    if (options.max_num_detections() < -1) {
      return absl::InvalidArgumentError(
          absl::StrCat("max_num_detections is ", options.max_num_detections(),
                       ", but has to be a number, or -1 for all"));
    }
    if (std::isnan(options.min_suppression_threshold()) ||
        std::isnan(options.min_score_threshold())) {
      return absl::InvalidArgumentError("a threshold is no number");
    }
    for (int i = 0; i < streams; ++i) {
      cc->Inputs().Get("", i).Set<std::vector<Detection>>();
    }
    cc->Inputs().Tag(kImage).Set<ImageFrame>().Optional();
    cc->Outputs().Index(0).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    SYNCLINE_ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                              ReadCandidates(cc));
    if (!HasDetections(cc) && !options.return_empty_detections()) {
      return absl::OkStatus();
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) {
                       return a.score > b.score;
                     });
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<Detection>>(
            Suppress(std::move(candidates), options))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  static bool HasDetections(const CalculatorContext* cc) {
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      const InputStream& input = cc->Inputs().Get("", i);
      if (input.IsEmpty()) continue;
      if (!input.Get<std::vector<Detection>>().empty()) return true;
    }
    return false;
  }

  static absl::StatusOr<std::vector<Candidate>> ReadCandidates(
      const CalculatorContext* cc) {
    const float lowest = cc->Options<Options>().min_score_threshold();
    absl::optional<std::pair<int, int>> image_size;
    if (HasTagValue(cc->Inputs(), kImage)) {
      const auto& image = cc->Inputs().Tag(kImage).Get<ImageFrame>();
      image_size = std::make_pair(image.Width(), image.Height());
    }
    std::vector<Candidate> result;
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      const InputStream& input = cc->Inputs().Get("", i);
      if (input.IsEmpty()) continue;
      for (const Detection& detection : input.Get<std::vector<Detection>>()) {
        Candidate candidate = {WithBestLabel(detection), {}, 0};
        candidate.score = ScoreOf(candidate.detection);
        if (lowest > 0 && candidate.score < lowest) continue;
        SYNCLINE_ASSIGN_OR_RETURN(
            candidate.box, RelativeBoxOf(detection.location_data(), image_size),
            _ << "of a detection of stream \"" << input.Name() << "\" at "
              << cc->InputTimestamp().DebugString());
        result.push_back(std::move(candidate));
      }
    }
    return result;
  }
};
REGISTER_CALCULATOR(NonMaxSuppressionCalculator);

}  // namespace syncline
