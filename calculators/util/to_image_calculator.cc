// ToImageCalculator: converts frames to images, without a copy.
//
//   node {
//     calculator: "ToImageCalculator"
//     input_stream: "IMAGE_CPU:frames"     # ImageFrame; or IMAGE, which may be
//     output_stream: "IMAGE:images"        #   an Image already
//   }
//
// The Image shares the pixels of the frame, so writing to one changes both. An
// empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by image_conversion_calculators_test.
#include <memory>
#include <utility>

#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kImageCpu[] = "IMAGE_CPU";

}  // namespace

class ToImageCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().HasTag(kImage) == cc->Inputs().HasTag(kImageCpu)) {
      return absl::InvalidArgumentError(
          "which images? Connect either IMAGE or IMAGE_CPU");
    }
    cc->Inputs().Tag(kImage).SetOneOf<ImageFrame, Image>().Optional();
    cc->Inputs().Tag(kImageCpu).Set<ImageFrame>().Optional();
    cc->Outputs().Tag(kImage).Set<Image>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input =
        cc->Inputs().Tag(cc->Inputs().HasTag(kImage) ? kImage : kImageCpu);
    if (input.IsEmpty()) return absl::OkStatus();
    if (input.Value().ValidateAsType<Image>().ok()) {
      cc->Outputs().Tag(kImage).AddPacket(input.Value());
      return absl::OkStatus();
    }
    // An Image allows writing to its pixels, under its lock.
    auto frame = std::const_pointer_cast<ImageFrame>(
        SharedPtrWithPacket<ImageFrame>(input.Value()));
    cc->Outputs().Tag(kImage).AddPacket(
        MakePacket<Image>(std::move(frame)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ToImageCalculator);

}  // namespace syncline
