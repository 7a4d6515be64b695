// MaskOverlayCalculator: combines two videos into one picture, with a mask.
//
//   node {
//     calculator: "MaskOverlayCalculator"
//     input_stream: "VIDEO:0:background"    # ImageFrame of bytes
//     input_stream: "VIDEO:1:foreground"    # ImageFrame, of the same kind
//     input_stream: "MASK:person"           # ImageFrame; or CONST_MASK:float
//     output_stream: "OUTPUT:picture"       # ImageFrame
//   }
//
// Where the mask is 0 the pixel is that of VIDEO:0, where it is 255, or 1.0 in
// a mask of floats (VEC32F1), that of VIDEO:1, and in between a mixture.
// CONST_MASK is one value from 0 to 1 for all pixels. The node has either MASK
// or CONST_MASK. A mask of another size is scaled; both videos must have the
// same size and format. The mask has one channel, or the option mask_channel of
// MaskOverlayCalculatorOptions selects one.
//
// If VIDEO:1 or the mask is empty, VIDEO:0 is sent on without a copy; if
// VIDEO:0 is empty, nothing is sent. The bound passes through (timestamp offset
// 0).
//
// Thread rule: no state of its own.
// Tested by mask_calculators_test.
#include <memory>

#include "calculators/image/mask_overlay_calculator.pb.h"
#include "calculators/image/mask_weights.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

using Options = MaskOverlayCalculatorOptions;

constexpr char kVideo[] = "VIDEO";
constexpr char kMask[] = "MASK";
constexpr char kConstMask[] = "CONST_MASK";
constexpr char kOutput[] = "OUTPUT";

absl::Status CheckAreAlike(const ImageFrame& first, const ImageFrame& second) {
  SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(first));
  if (first.Format() == second.Format() && first.Width() == second.Width() &&
      first.Height() == second.Height()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("VIDEO:0 is ", Describe(first), " and VIDEO:1 ",
                   Describe(second), "; they need one size and one format"));
}

}  // namespace

class MaskOverlayCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().NumEntries(kVideo) != 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("MaskOverlayCalculator needs two inputs VIDEO, but has ",
                       cc->Inputs().NumEntries(kVideo)));
    }
    if (cc->Inputs().HasTag(kMask) == cc->Inputs().HasTag(kConstMask)) {
      return absl::InvalidArgumentError(
          "MaskOverlayCalculator needs one of the inputs MASK and CONST_MASK");
    }
    cc->Inputs().Get(kVideo, 0).Set<ImageFrame>();
    cc->Inputs().Get(kVideo, 1).Set<ImageFrame>();
    if (cc->Inputs().HasTag(kMask)) {
      cc->Inputs().Tag(kMask).Set<ImageFrame>();
    } else {
      cc->Inputs().Tag(kConstMask).Set<float>();
    }
    cc->Outputs().Tag(kOutput).Set<ImageFrame>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& first = cc->Inputs().Get(kVideo, 0);
    const InputStream& second = cc->Inputs().Get(kVideo, 1);
    const InputStream& mask =
        cc->Inputs().Tag(cc->Inputs().HasTag(kMask) ? kMask : kConstMask);
    if (first.IsEmpty()) return absl::OkStatus();
    if (second.IsEmpty() || mask.IsEmpty()) {
      cc->Outputs().Tag(kOutput).AddPacket(first.Value());
      return absl::OkStatus();
    }
    const auto& frame = first.Get<ImageFrame>();
    const auto& other = second.Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckAreAlike(frame, other));
    SYNCLINE_ASSIGN_OR_RETURN(const cv::Mat weights, Weights(cc));
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> result,
        NewFrame(frame.Format(), frame.Width(), frame.Height(), &memory_));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("mixing two frames", [&] {
      cv::Mat output = formats::MatView(result.get());
      Blend(formats::MatView(&frame), formats::MatView(&other), weights,
            &output);
      return absl::OkStatus();
    }));
    cc->Outputs().Tag(kOutput).Add(result.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<cv::Mat> Weights(CalculatorContext* cc) {
    const auto& frame = cc->Inputs().Get(kVideo, 0).Get<ImageFrame>();
    const cv::Size size(frame.Width(), frame.Height());
    if (cc->Inputs().HasTag(kMask)) {
      return MaskWeights(
          cc->Inputs().Tag(kMask).Get<ImageFrame>(),
          cc->Options<Options>().mask_channel() == Options::ALPHA, size);
    }
    const float weight = cc->Inputs().Tag(kConstMask).Get<float>();
    if (!(weight >= 0 && weight <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("CONST_MASK is from 0 to 1, but is ", weight));
    }
    return cv::Mat(size, CV_32FC1, cv::Scalar(weight));
  }

  ImageFrameMemory memory_;
};
REGISTER_CALCULATOR(MaskOverlayCalculator);

}  // namespace syncline
