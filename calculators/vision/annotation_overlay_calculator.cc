// AnnotationOverlayCalculator: draws on images.
//
//   node {
//     calculator: "AnnotationOverlayCalculator"
//     input_stream: "IMAGE:frames"            # ImageFrame; or UIMAGE:Image
//     input_stream: "boxes"                   # RenderData, any number
//     input_stream: "VECTOR:faces"            # std::vector<RenderData>, too
//     output_stream: "IMAGE:pictures"         # as the input
//   }
//
// The inputs without a tag are drawn first, in their order, then those with the
// tag VECTOR in theirs; util/render_data.proto lists the shapes. Parts outside
// of the image are not drawn. The input image is not changed: it is copied
// once. A GRAY8 image becomes SRGB, so that it can have colours; SRGB and SRGBA
// are kept.
//
// Without an input for images it draws on a new image, with the size and the
// colour of the options, at each timestamp at which there is a drawing.
//
// If the image is empty nothing is sent, whatever the other inputs have; an
// empty drawing draws nothing. The bound passes through (timestamp offset 0).
// An unsupported image, and a drawing with places that are not finite, end the
// run with an error.
//
// Thread rule: no state of its own.
// Tested by annotation_overlay_test.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calculators/core/forwarding.h"
#include "calculators/util/annotation_overlay_calculator.pb.h"
#include "calculators/vision/draw_annotations.h"
#include "calculators/vision/image_input.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kUImage[] = "UIMAGE";
constexpr char kVector[] = "VECTOR";
constexpr int kMaxCanvas = 16384;

absl::Status CheckOptions(const AnnotationOverlayCalculatorOptions& options) {
  for (const int size :
       {options.canvas_width_px(), options.canvas_height_px()}) {
    if (size >= 1 && size <= kMaxCanvas) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "AnnotationOverlayCalculator needs a canvas from 1 to ", kMaxCanvas,
        " pixels wide and high, but has ", options.ShortDebugString()));
  }
  return absl::OkStatus();
}

// The tag of the output, which is also that of the image input if there is one.
const char* ImageTag(const CalculatorContract& cc) {
  return cc.Outputs().HasTag(kUImage) ? kUImage : kImage;
}

// The image to draw on: the one copy.
absl::StatusOr<std::unique_ptr<ImageFrame>> CopyToDrawOn(
    const Packet& packet, ImageFrameMemory* memory) {
  SYNCLINE_ASSIGN_OR_RETURN(const ImageInput image, ImageInput::Of(packet));
  if (image.format() == ImageFormat::SBGRA) {
    return absl::InvalidArgumentError(
        "an image in the format SBGRA cannot be drawn on; convert it to SRGB "
        "or SRGBA before");
  }
  const bool has_alpha = image.format() == ImageFormat::SRGBA;
  std::unique_ptr<ImageFrame> copy =
      memory->NewFrame(has_alpha ? ImageFormat::SRGBA : ImageFormat::SRGB,
                       image.width(), image.height());
  cv::Mat view = formats::MatView(copy.get());
  if (image.format() == ImageFormat::GRAY8) {
    cv::cvtColor(image.pixels(), view, cv::COLOR_GRAY2RGB);
  } else {
    image.pixels().copyTo(view);
  }
  return copy;
}

}  // namespace

class AnnotationOverlayCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool has_image = cc->Inputs().HasTag(kImage);
    const bool has_uimage = cc->Inputs().HasTag(kUImage);
    if (cc->Outputs().HasTag(kImage) == cc->Outputs().HasTag(kUImage) ||
        (has_image && !cc->Outputs().HasTag(kImage)) ||
        (has_uimage && !cc->Outputs().HasTag(kUImage))) {
      return absl::InvalidArgumentError(
          "AnnotationOverlayCalculator has one output, IMAGE or UIMAGE, and "
          "for "
          "images either no input or one of the same tag");
    }
    if (has_image) cc->Inputs().Tag(kImage).Set<ImageFrame>();
    if (has_uimage) cc->Inputs().Tag(kUImage).Set<Image>();
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Get("", i).Set<RenderData>();
    }
    for (int i = 0; i < cc->Inputs().NumEntries(kVector); ++i) {
      cc->Inputs().Get(kVector, i).Set<std::vector<RenderData>>();
    }
    if (cc->Outputs().HasTag(kUImage)) {
      cc->Outputs().Tag(kUImage).Set<Image>();
    } else {
      cc->Outputs().Tag(kImage).Set<ImageFrame>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckOptions(cc->Options<AnnotationOverlayCalculatorOptions>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<AnnotationOverlayCalculatorOptions>();
    tag_ = ImageTag(cc->contract());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    std::unique_ptr<ImageFrame> frame;
    if (cc->Inputs().HasTag(tag_)) {
      const InputStream& input = cc->Inputs().Tag(tag_);
      if (input.IsEmpty()) return absl::OkStatus();
      SYNCLINE_ASSIGN_OR_RETURN(frame, CopyToDrawOn(input.Value(), &memory_));
    } else {
      if (!AnyInputHasPacket(*cc)) return absl::OkStatus();
      frame = MakeCanvas();
    }
    cv::Mat view = formats::MatView(frame.get());
    SYNCLINE_RETURN_IF_ERROR(DrawInputs(cc, &view));
    Packet packet =
        tag_ == kUImage
            ? MakePacket<Image>(std::shared_ptr<ImageFrame>(std::move(frame)))
            : Adopt(frame.release());
    cc->Outputs().Tag(tag_).AddPacket(
        std::move(packet).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::unique_ptr<ImageFrame> MakeCanvas() {
    auto canvas =
        memory_.NewFrame(ImageFormat::SRGB, options_.canvas_width_px(),
                         options_.canvas_height_px());
    const Color& color = options_.canvas_color();
    formats::MatView(canvas.get())
        .setTo(cv::Scalar(color.r(), color.g(), color.b()));
    return canvas;
  }

  absl::Status DrawInputs(CalculatorContext* cc, cv::Mat* image) const {
    const bool flip = options_.flip_text_vertically();
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      const InputStream& input = cc->Inputs().Get("", i);
      if (input.IsEmpty()) continue;
      SYNCLINE_RETURN_IF_ERROR(
          DrawAnnotations(input.Get<RenderData>(), flip, image));
    }
    for (int i = 0; i < cc->Inputs().NumEntries(kVector); ++i) {
      const InputStream& input = cc->Inputs().Get(kVector, i);
      if (input.IsEmpty()) continue;
      for (const RenderData& data : input.Get<std::vector<RenderData>>()) {
        SYNCLINE_RETURN_IF_ERROR(DrawAnnotations(data, flip, image));
      }
    }
    return absl::OkStatus();
  }

  AnnotationOverlayCalculatorOptions options_;
  std::string tag_;  // of images
  ImageFrameMemory memory_;
};
REGISTER_CALCULATOR(AnnotationOverlayCalculator);

}  // namespace syncline
