// LandmarkLetterboxRemovalCalculator: converts landmarks in an image with
// padding to landmarks in the image without padding.
//
//   node {
//     calculator: "LandmarkLetterboxRemovalCalculator"
//     input_stream: "LANDMARKS:padded"            # NormalizedLandmarkList
//     input_stream: "LETTERBOX_PADDING:padding"   # std::array<float, 4>: left,
//     output_stream: "LANDMARKS:landmarks"        #   top, right, bottom, in
//   }                                             #   parts of the padded image
//
// Several LANDMARKS may be given, each with its output. x and y are converted,
// and z is scaled as x is. An empty input sends nothing, and neither do
// landmarks without a padding at their timestamp; the bound passes through
// (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by landmark_calculators_test.
#include <array>
#include <utility>

#include "calculators/util/geometry.h"
#include "calculators/util/letterbox.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {
namespace {

constexpr char kLandmarks[] = "LANDMARKS";
constexpr char kPadding[] = "LETTERBOX_PADDING";

}  // namespace

class LandmarkLetterboxRemovalCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const int lists = cc->Inputs().NumEntries(kLandmarks);
    if (lists == 0 || lists != cc->Outputs().NumEntries(kLandmarks)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "each LANDMARKS that comes in goes out, at least one, but ", lists,
          " come in and ", cc->Outputs().NumEntries(kLandmarks), " go out"));
    }
    for (int i = 0; i < lists; ++i) {
      cc->Inputs().Get(kLandmarks, i).Set<NormalizedLandmarkList>();
      cc->Outputs().Get(kLandmarks, i).Set<NormalizedLandmarkList>();
    }
    cc->Inputs().Tag(kPadding).Set<std::array<float, 4>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& padding = cc->Inputs().Tag(kPadding);
    if (padding.IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const Letterbox box, Letterbox::Read(padding));
    for (int i = 0; i < cc->Inputs().NumEntries(kLandmarks); ++i) {
      const InputStream& input = cc->Inputs().Get(kLandmarks, i);
      if (input.IsEmpty()) continue;
      auto landmarks = input.Get<NormalizedLandmarkList>();
      for (NormalizedLandmark& landmark : *landmarks.mutable_landmark()) {
        const PlanePoint point =
            box.WithoutPadding({landmark.x(), landmark.y()});
        landmark.set_x(static_cast<float>(point.x));
        landmark.set_y(static_cast<float>(point.y));
        landmark.set_z(static_cast<float>(landmark.z() / box.width));
      }
      cc->Outputs()
          .Get(kLandmarks, i)
          .AddPacket(MakePacket<NormalizedLandmarkList>(std::move(landmarks))
                         .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(LandmarkLetterboxRemovalCalculator);

}  // namespace syncline
