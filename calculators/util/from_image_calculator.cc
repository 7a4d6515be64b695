// FromImageCalculator: converts images to frames, without a copy.
//
//   node {
//     calculator: "FromImageCalculator"
//     input_stream: "IMAGE:images"            # Image
//     output_stream: "IMAGE_CPU:frames"       # ImageFrame
//     output_stream: "SOURCE_ON_GPU:on_gpu"   # bool, optional
//   }
//
// The frame shares the pixels of the image: it cannot be consumed, and writing
// to the image changes it. SOURCE_ON_GPU says whether the pixels came from a
// GPU, which is always `false` here. An Image without pixels ends the run with
// an error. An empty input sends nothing; the bound passes through (timestamp
// offset 0).
//
// Thread rule: no state of its own.
// Tested by image_conversion_calculators_test.
#include <utility>

#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kImageCpu[] = "IMAGE_CPU";
constexpr char kSourceOnGpu[] = "SOURCE_ON_GPU";

}  // namespace

class FromImageCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kImage).Set<Image>();
    cc->Outputs().Tag(kImageCpu).Set<ImageFrame>();
    cc->Outputs().Tag(kSourceOnGpu).Set<bool>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kImage);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& image = input.Get<Image>();
    if (!image.ConvertToCpu()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the Image at ", cc->InputTimestamp().DebugString(),
                       " has no pixels"));
    }
    ImageFrameSharedPtr frame = image.GetImageFrameSharedPtr();
    const ImageFrame* const pixels = frame.get();
    cc->Outputs().Tag(kImageCpu).AddPacket(
        PointToForeign<ImageFrame>(pixels, [frame =
                                                std::move(frame)]() mutable {
          frame.reset();
        }).At(cc->InputTimestamp()));
    if (cc->Outputs().HasTag(kSourceOnGpu)) {
      cc->Outputs()
          .Tag(kSourceOnGpu)
          .AddPacket(
              MakePacket<bool>(image.UsesGpu()).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FromImageCalculator);

}  // namespace syncline
