// LandmarksRefinementCalculator: makes one list of landmarks of several, in
// which later lists replace some landmarks of earlier ones.
//
//   node {
//     calculator: "LandmarksRefinementCalculator"
//     input_stream: "LANDMARKS:0:face"          # NormalizedLandmarkList
//     input_stream: "LANDMARKS:1:lips"
//     output_stream: "REFINED_LANDMARKS:better_face"
//     options { [syncline.LandmarksRefinementCalculatorOptions.ext] {
//       refinement { indexes_mapping: [ 0, 1, 2 ] z_refinement { copy {} } }
//       refinement { indexes_mapping: [ 1, 2 ] z_refinement { none {} } } } }
//   }
//
// Each input has a refinement, which says which landmark of the output each of
// its landmarks is, and how z is computed. x and y are those of the last input
// that has the landmark; other fields are left out.
//
// An input with another number of landmarks than its refinement ends the run
// with an error. If any input is empty nothing is sent; the bound passes
// through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by landmark_calculators_test.
#include <set>
#include <utility>

#include "calculators/util/landmarks_refinement_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {
namespace {

using Options = LandmarksRefinementCalculatorOptions;
using Refinement = Options::Refinement;

constexpr char kLandmarks[] = "LANDMARKS";
constexpr char kRefined[] = "REFINED_LANDMARKS";

// The number of landmarks of the output.
absl::StatusOr<int> CountLandmarks(const Options& options) {
  std::set<int> indexes;
  for (const Refinement& refinement : options.refinement()) {
    indexes.insert(refinement.indexes_mapping().begin(),
                   refinement.indexes_mapping().end());
  }
  const int count = static_cast<int>(indexes.size());
  if (count > 0 && (*indexes.begin() != 0 || *indexes.rbegin() != count - 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("indexes_mapping of all refinements together has ", count,
                     " indexes, but from ", *indexes.begin(), " to ",
                     *indexes.rbegin(), "; it has each from 0 on"));
  }
  for (const Refinement& refinement : options.refinement()) {
    const auto& average = refinement.z_refinement().assign_average();
    if (refinement.z_refinement().has_assign_average() &&
        average.indexes_for_average().empty()) {
      return absl::InvalidArgumentError(
          "assign_average needs indexes_for_average");
    }
    for (const int index : average.indexes_for_average()) {
      if (index < 0 || index >= count) {
        return absl::InvalidArgumentError(
            absl::StrCat("indexes_for_average has ", index, ", but there are ",
                         count, " landmarks, which count from 0"));
      }
    }
  }
  return count;
}

void RefineZ(const NormalizedLandmarkList& landmarks,
             const Refinement& refinement, NormalizedLandmarkList* refined) {
  const auto& mapping = refinement.indexes_mapping();
  if (refinement.z_refinement().has_copy()) {
    for (int i = 0; i < mapping.size(); ++i) {
      refined->mutable_landmark(mapping[i])->set_z(landmarks.landmark(i).z());
    }
  } else if (refinement.z_refinement().has_assign_average()) {
    const auto& indexes =
        refinement.z_refinement().assign_average().indexes_for_average();
    double sum = 0;
    for (const int index : indexes) sum += refined->landmark(index).z();
    for (const int index : mapping) {
      refined->mutable_landmark(index)->set_z(
          static_cast<float>(sum / indexes.size()));
    }
  }
}

}  // namespace

class LandmarksRefinementCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    const int lists = cc->Inputs().NumEntries(kLandmarks);
    if (lists == 0 || lists != options.refinement_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "each input LANDMARKS needs a refinement, at least one of each, but "
          "there are ",
          lists, " and ", options.refinement_size()));
    }
    SYNCLINE_RETURN_IF_ERROR(CountLandmarks(options).status());
    for (int i = 0; i < lists; ++i) {
      cc->Inputs().Get(kLandmarks, i).Set<NormalizedLandmarkList>();
    }
    cc->Outputs().Tag(kRefined).Set<NormalizedLandmarkList>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(count_, CountLandmarks(cc->Options<Options>()));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) return absl::OkStatus();
    }
    NormalizedLandmarkList refined;
    for (int i = 0; i < count_; ++i) refined.add_landmark();
    for (int i = 0; i < cc->Inputs().NumEntries(kLandmarks); ++i) {
      const InputStream& input = cc->Inputs().Get(kLandmarks, i);
      const auto& landmarks = input.Get<NormalizedLandmarkList>();
      const Refinement& refinement = cc->Options<Options>().refinement(i);
      if (landmarks.landmark_size() != refinement.indexes_mapping_size()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "stream \"", input.Name(), "\" has ", landmarks.landmark_size(),
            " landmarks at ", cc->InputTimestamp().DebugString(),
            ", but its indexes_mapping has ",
            refinement.indexes_mapping_size()));
      }
      for (int j = 0; j < landmarks.landmark_size(); ++j) {
        NormalizedLandmark& landmark =
            *refined.mutable_landmark(refinement.indexes_mapping(j));
        landmark.set_x(landmarks.landmark(j).x());
        landmark.set_y(landmarks.landmark(j).y());
      }
      RefineZ(landmarks, refinement, &refined);
    }
    cc->Outputs().Tag(kRefined).AddPacket(
        MakePacket<NormalizedLandmarkList>(std::move(refined))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  int count_ = 0;
};
REGISTER_CALCULATOR(LandmarksRefinementCalculator);

}  // namespace syncline
