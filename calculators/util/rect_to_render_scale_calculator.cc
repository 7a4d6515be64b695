// RectToRenderScaleCalculator: computes how thick to draw the contents of a
// rectangle, so that near and far things look alike.
//
//   node {
//     calculator: "RectToRenderScaleCalculator"
//     input_stream: "NORM_RECT:hand"           # NormalizedRect
//     input_stream: "IMAGE_SIZE:size"          # std::pair<int, int>
//     output_stream: "RENDER_SCALE:scale"      # float
//     options { [syncline.RectToRenderScaleCalculatorOptions.ext] {
//       multiplier: 0.001 } }
//   }
//
// The scale is the longer side of the rectangle, in pixels, times the
// multiplier. Where NORM_RECT is empty it is the multiplier itself, at the
// timestamps of IMAGE_SIZE, and with `process_timestamp_bounds: true` at all
// that are settled. An empty IMAGE_SIZE sends nothing, and the bound passes
// through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by render_data_calculators_test.
#include <algorithm>
#include <cmath>
#include <utility>

#include "calculators/util/geometry.h"
#include "calculators/util/rect_to_render_scale_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

constexpr char kNormRect[] = "NORM_RECT";
constexpr char kImageSize[] = "IMAGE_SIZE";
constexpr char kScale[] = "RENDER_SCALE";

}  // namespace

class RectToRenderScaleCalculator : public CalculatorBase {
 public:
  using Options = RectToRenderScaleCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    if (!std::isfinite(options.multiplier())) {
      return absl::InvalidArgumentError("the multiplier is no finite number");
    }
    cc->Inputs().Tag(kNormRect).Set<NormalizedRect>();
    cc->Inputs().Tag(kImageSize).Set<std::pair<int, int>>();
    cc->Outputs().Tag(kScale).Set<float>();
    cc->SetTimestampOffset(TimestampDiff(0));
    cc->SetProcessTimestampBounds(options.process_timestamp_bounds());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    const InputStream& input = cc->Inputs().Tag(kNormRect);
    double scale = options.multiplier();
    if (input.IsEmpty()) {
      const bool has_size = !cc->Inputs().Tag(kImageSize).IsEmpty();
      if (!(has_size || options.process_timestamp_bounds()) ||
          !cc->InputTimestamp().IsAllowedInStream()) {
        return absl::OkStatus();
      }
    } else {
      if (cc->Inputs().Tag(kImageSize).IsEmpty()) return absl::OkStatus();
      SYNCLINE_ASSIGN_OR_RETURN((const auto [width, height]),
                                ReadImageSize(cc));
      const auto& rect = input.Get<NormalizedRect>();
      scale *= std::max(double{rect.width()} * width,
                        double{rect.height()} * height);
    }
    cc->Outputs().Tag(kScale).AddPacket(
        MakePacket<float>(static_cast<float>(scale)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(RectToRenderScaleCalculator);

}  // namespace syncline
