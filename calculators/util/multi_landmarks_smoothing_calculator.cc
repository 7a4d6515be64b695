// MultiLandmarksSmoothingCalculator: smooths the landmarks of several objects
// over time.
//
//   node {
//     calculator: "MultiLandmarksSmoothingCalculator"
//     input_stream: "NORM_LANDMARKS:poses"
//     input_stream: "TRACKING_IDS:ids"
//     input_stream: "IMAGE_SIZE:size"
//     output_stream: "NORM_FILTERED_LANDMARKS:calm_poses"
//     options { [syncline.LandmarksSmoothingCalculatorOptions.ext] {
//       one_euro_filter { min_cutoff: 0.05 beta: 80 } } }
//   }
//
//   inputs
//     NORM_LANDMARKS    std::vector<NormalizedLandmarkList>
//     TRACKING_IDS      std::vector<int64_t>: which object each of them is; an
//                       object keeps its id from packet to packet
//     IMAGE_SIZE        std::pair<int, int>
//     OBJECT_SCALE_ROI  std::vector<NormalizedRect>, optional: how large each
//                       is, as of LandmarksSmoothingCalculator
//
// Each object has its own filter, as in LandmarksSmoothingCalculator. The
// filter starts when the id of the object appears, and ends with the first
// packet without the id. Vectors of different lengths and an id that is there
// twice end the run with an error.
//
// If NORM_LANDMARKS is empty nothing is sent; if another input has a packet
// then, the filters of all objects end. Landmarks without IMAGE_SIZE at their
// timestamp send nothing. The bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by landmark_calculators_test.
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/util/geometry.h"
#include "calculators/util/landmarks_filter.h"
#include "calculators/util/landmarks_smoothing_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

constexpr char kLandmarks[] = "NORM_LANDMARKS";
constexpr char kIds[] = "TRACKING_IDS";
constexpr char kImageSize[] = "IMAGE_SIZE";
constexpr char kScaleRoi[] = "OBJECT_SCALE_ROI";
constexpr char kFiltered[] = "NORM_FILTERED_LANDMARKS";

using Lists = std::vector<NormalizedLandmarkList>;
using Ids = std::vector<std::int64_t>;
using Rois = std::vector<NormalizedRect>;

// The vector of an input; an empty vector if the input has no packet.
template <typename Vector>
const Vector& VectorOf(const InputStreamSet& inputs, const char* tag) {
  static const auto& none = *new Vector();
  return HasTagValue(inputs, tag) ? inputs.Tag(tag).Get<Vector>() : none;
}

}  // namespace

class MultiLandmarksSmoothingCalculator : public CalculatorBase {
 public:
  using Options = LandmarksSmoothingCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        LandmarksFilter::CheckOptions(cc->Options<Options>()));
    cc->Inputs().Tag(kLandmarks).Set<Lists>();
    cc->Inputs().Tag(kIds).Set<Ids>();
    cc->Inputs().Tag(kImageSize).Set<std::pair<int, int>>();
    cc->Inputs().Tag(kScaleRoi).Set<Rois>().Optional();
    cc->Outputs().Tag(kFiltered).Set<Lists>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStreamSet& inputs = cc->Inputs();
    if (inputs.Tag(kLandmarks).IsEmpty()) {
      filters_.clear();
      return absl::OkStatus();
    }
    if (inputs.Tag(kImageSize).IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN((const auto [width, height]), ReadImageSize(cc));
    const LandmarksFilter::Units units = {double(width), double(height)};
    const auto& lists = inputs.Tag(kLandmarks).Get<Lists>();
    const auto& ids = VectorOf<Ids>(inputs, kIds);
    const auto& rois = VectorOf<Rois>(inputs, kScaleRoi);
    const bool has_rois = HasTagValue(inputs, kScaleRoi);
    if (ids.size() != lists.size() ||
        (has_rois && rois.size() != lists.size())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "at ", cc->InputTimestamp().DebugString(), " there are ",
          lists.size(), " NORM_LANDMARKS, ", ids.size(), " TRACKING_IDS",
          has_rois ? absl::StrCat(" and ", rois.size(), " OBJECT_SCALE_ROI")
                   : "",
          "; there is one for each object"));
    }
    Filters seen;
    Lists result;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      auto known = filters_.extract(ids[i]);
      if (known.empty()) {
        const bool is_new =
            seen.try_emplace(ids[i], cc->Options<Options>()).second;
        if (!is_new) return TwiceError(ids[i], cc);
      } else {
        seen.insert(std::move(known));
      }
      absl::optional<double> object_scale;
      if (has_rois) {
        object_scale =
            (rois[i].width() * units.x + rois[i].height() * units.y) / 2;
      }
      result.push_back(seen.at(ids[i]).Apply(cc->InputTimestamp(), lists[i],
                                             units, object_scale));
    }
    // The filters that are left belong to objects that are gone.
    filters_ = std::move(seen);
    cc->Outputs().Tag(kFiltered).AddPacket(
        MakePacket<Lists>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  using Filters = std::map<std::int64_t, LandmarksFilter>;

  static absl::Status TwiceError(std::int64_t id, const CalculatorContext* cc) {
    return absl::InvalidArgumentError(
        absl::StrCat("TRACKING_IDS at ", cc->InputTimestamp().DebugString(),
                     " has ", id, " twice; each object has an id of its own"));
  }

  Filters filters_;  // by the ids of the last packet
};
REGISTER_CALCULATOR(MultiLandmarksSmoothingCalculator);

}  // namespace syncline
