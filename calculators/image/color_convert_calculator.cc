// ColorConvertCalculator: converts frames to another order or number of
// colours.
//
//   node {
//     calculator: "ColorConvertCalculator"
//     input_stream: "RGB_IN:frames"         # ImageFrame
//     output_stream: "GRAY_OUT:gray_frames" # ImageFrame
//   }
//
// One input of RGB_IN, RGBA_IN, BGRA_IN and GRAY_IN, and one output of RGB_OUT,
// RGBA_OUT, BGRA_OUT and GRAY_OUT. The frames are SRGB, SRGBA, SBGRA and GRAY8.
// A frame that gets an alpha channel is opaque. If input and output have the
// same format, frames are sent on without a copy.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: constant after Open.
// Tested by opencv_image_calculators_test.
#include <memory>
#include <string>

#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

struct Colors {
  const char* input;
  const char* output;
  ImageFormat::Format format;
};
constexpr Colors kColors[] = {
    {"RGB_IN", "RGB_OUT", ImageFormat::SRGB},
    {"RGBA_IN", "RGBA_OUT", ImageFormat::SRGBA},
    {"BGRA_IN", "BGRA_OUT", ImageFormat::SBGRA},
    {"GRAY_IN", "GRAY_OUT", ImageFormat::GRAY8},
};

// OpenCV's conversion, by input and output in the order of kColors. The
// diagonal is not used.
constexpr int kCodes[4][4] = {
    {0, cv::COLOR_RGB2RGBA, cv::COLOR_RGB2BGRA, cv::COLOR_RGB2GRAY},
    {cv::COLOR_RGBA2RGB, 0, cv::COLOR_RGBA2BGRA, cv::COLOR_RGBA2GRAY},
    {cv::COLOR_BGRA2RGB, cv::COLOR_BGRA2RGBA, 0, cv::COLOR_BGRA2GRAY},
    {cv::COLOR_GRAY2RGB, cv::COLOR_GRAY2RGBA, cv::COLOR_GRAY2BGRA, 0},
};

// The index in kColors of the port's tag; -1 unless there is exactly one such
// port.
template <typename Ports>
int Find(const Ports& ports, const char* Colors::*tag) {
  int found = -1;
  for (int i = 0; i < 4; ++i) {
    if (!ports.HasTag(kColors[i].*tag)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

}  // namespace

class ColorConvertCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (const Colors& colors : kColors) {
      cc->Inputs().Tag(colors.input).Set<ImageFrame>().Optional();
      cc->Outputs().Tag(colors.output).Set<ImageFrame>().Optional();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    if (Find(cc->Inputs(), &Colors::input) >= 0 &&
        Find(cc->Outputs(), &Colors::output) >= 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        "ColorConvertCalculator needs one input of RGB_IN, RGBA_IN, BGRA_IN "
        "and GRAY_IN, and one output of RGB_OUT, RGBA_OUT, BGRA_OUT and "
        "GRAY_OUT");
  }

  absl::Status Open(CalculatorContext* cc) override {
    from_ = Find(cc->Inputs(), &Colors::input);
    to_ = Find(cc->Outputs(), &Colors::output);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Tag(kColors[from_].input).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    OutputStream& output = cc->Outputs().Tag(kColors[to_].output);
    const auto& frame = packet.Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckFrame(frame, {kColors[from_].format}));
    if (from_ == to_) {
      output.AddPacket(packet);
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> result,
        NewFrame(kColors[to_].format, frame.Width(), frame.Height(), &memory_));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("converting colours", [&] {
      cv::Mat converted = formats::MatView(result.get());
      cv::cvtColor(formats::MatView(&frame), converted, kCodes[from_][to_]);
      return absl::OkStatus();
    }));
    output.Add(result.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  int from_ = 0;
  int to_ = 0;
  ImageFrameMemory memory_;
};
REGISTER_CALCULATOR(ColorConvertCalculator);

}  // namespace syncline
