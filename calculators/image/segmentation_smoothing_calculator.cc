// SegmentationSmoothingCalculator: smooths segmentation masks over time at
// pixels that are uncertain.
//
//   node {
//     calculator: "SegmentationSmoothingCalculator"
//     input_stream: "MASK:mask"                  # Image
//     input_stream: "MASK_PREVIOUS:last_mask"    # Image
//     output_stream: "MASK_SMOOTHED:smooth_mask" # Image
//     options { [syncline.SegmentationSmoothingCalculatorOptions.ext] {
//       combine_with_previous_ratio: 0.9 } }
//   }
//
// MASK_PREVIOUS is the output for the mask before, which a
// PreviousLoopbackCalculator sends. A mask is an image of format VEC32F1 whose
// pixels are probabilities. Each pixel becomes
//
//   new + (previous - new) * ratio * uncertainty(new)
//
// where the uncertainty of p is 1 for 0.5, and nearly 0 for 0 and 1: close to
// the square of the entropy of p in bits, but by the polynomial
//
//   1 - min(1, c1 x + c2 x^2 + c3 x^3 + c4 x^4 + c5 x^5), x = (p - 0.5)^2
//
// with c1 to c5 = 5.68842, -0.748699, -57.8051, 291.309, -624.717. A pixel of
// the new mask that is no probability, such as NaN, stays as it is; if it is
// NaN in the previous mask, the new value is used.
//
// If MASK_PREVIOUS is empty, or the ratio is 0, the new mask itself is sent.
// Masks of different sizes or of another format end the run with an error. An
// empty MASK sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by image_calculators_test.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "calculators/image/segmentation_smoothing_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"

namespace syncline {
namespace {

constexpr char kMask[] = "MASK";
constexpr char kPrevious[] = "MASK_PREVIOUS";
constexpr char kSmoothed[] = "MASK_SMOOTHED";

float Uncertainty(float p) {
  const bool is_probability = p >= 0 && p <= 1;
  if (!is_probability) return 0;
  constexpr std::array<float, 5> kFactors = {-624.717F, 291.309F, -57.8051F,
                                             -0.748699F, 5.68842F};
  const float x = (p - 0.5F) * (p - 0.5F);
  float certainty = 0;
  for (const float factor : kFactors) certainty = (certainty + factor) * x;
  return 1 - std::min(1.0F, certainty);
}

const float* Row(const std::uint8_t* pixels, const Image& image, int y) {
  return reinterpret_cast<const float*>(pixels +
                                        std::ptrdiff_t{y} * image.step());
}

// Whether the two masks have the same size and format.
std::shared_ptr<ImageFrame> Mixed(const Image& mask, const Image& previous,
                                  float ratio) {
  auto result = std::make_shared<ImageFrame>(ImageFormat::VEC32F1, mask.width(),
                                             mask.height());
  // Only one lock: the two may be handles of the same pixels, and both are only
  // read.
  const PixelReadLock mask_pixels(mask);
  const PixelReadLock previous_pixels(previous);
  for (int y = 0; y < mask.height(); ++y) {
    const float* const now = Row(mask_pixels.Pixels(), mask, y);
    const float* const before = Row(previous_pixels.Pixels(), previous, y);
    auto* const out = reinterpret_cast<float*>(
        result->MutablePixelData() + std::ptrdiff_t{y} * result->WidthStep());
    for (int x = 0; x < mask.width(); ++x) {
      const float weight = ratio * Uncertainty(now[x]);
      out[x] = weight > 0 && std::isfinite(before[x])
                   ? now[x] + (before[x] - now[x]) * weight
                   : now[x];
    }
  }
  return result;
}

absl::Status CheckFormat(const char* tag, const Image& image,
                         const CalculatorContext* cc) {
  if (image.image_format() == ImageFormat::VEC32F1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the mask of ", tag, " at ", cc->InputTimestamp().DebugString(),
      " is of format ", ImageFormat::Format_Name(image.image_format()),
      ", but masks are of VEC32F1"));
}

}  // namespace

class SegmentationSmoothingCalculator : public CalculatorBase {
 public:
  using Options = SegmentationSmoothingCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const float ratio = cc->Options<Options>().combine_with_previous_ratio();
    if (!(ratio >= 0 && ratio <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("combine_with_previous_ratio is ", ratio,
                       ", but has to be from 0 to 1"));
    }
    cc->Inputs().Tag(kMask).Set<Image>();
    cc->Inputs().Tag(kPrevious).Set<Image>();
    cc->Outputs().Tag(kSmoothed).Set<Image>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kMask);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& mask = input.Get<Image>();
    SYNCLINE_RETURN_IF_ERROR(CheckFormat(kMask, mask, cc));
    const InputStream& before = cc->Inputs().Tag(kPrevious);
    const float ratio = cc->Options<Options>().combine_with_previous_ratio();
    if (before.IsEmpty() || ratio == 0) {
      cc->Outputs().Tag(kSmoothed).AddPacket(input.Value());
      return absl::OkStatus();
    }
    const auto& previous = before.Get<Image>();
    SYNCLINE_RETURN_IF_ERROR(CheckFormat(kPrevious, previous, cc));
    if (previous.width() != mask.width() ||
        previous.height() != mask.height()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the mask at ", cc->InputTimestamp().DebugString(), " is ",
          mask.width(), " x ", mask.height(), ", but the one before is ",
          previous.width(), " x ", previous.height()));
    }
    cc->Outputs().Tag(kSmoothed).AddPacket(
        MakePacket<Image>(Mixed(mask, previous, ratio))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SegmentationSmoothingCalculator);

}  // namespace syncline
