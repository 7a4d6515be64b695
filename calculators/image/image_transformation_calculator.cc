// ImageTransformationCalculator: turns, flips and scales frames.
//
//   node {
//     calculator: "ImageTransformationCalculator"
//     input_stream: "IMAGE:frames"             # ImageFrame
//     output_stream: "IMAGE:small_frames"      # ImageFrame
//     output_stream: "LETTERBOX_PADDING:pads"  # std::array<float, 4>; optional
//     options { [syncline.ImageTransformationCalculatorOptions.ext] {
//       output_width: 320 output_height: 240 scale_mode: FIT } }
//   }
//
// optional ports:
//   ROTATION_DEGREES     int, a multiple of 90, counterclockwise
//   FLIP_HORIZONTALLY    bool: streams or side packets, that go before the
//   FLIP_VERTICALLY      options; a stream holds until its next packet
//   OUTPUT_DIMENSIONS    side packet std::pair<int, int>: width and height,
//                        before the options
//   VIDEO_PRESTREAM      VideoHeader, in and out: gets the new size
//   MATRIX               std::array<float, 16>, out: takes a point of the input
//                        to its place in the output, both from 0 to 1; 4 rows
//
// A frame is turned, then flipped, then scaled to the size of the output.
// STRETCH, FIT and FILL_AND_CROP say what happens if its shape is different;
// FIT pads with a colour or with the pixels at the edge. LETTERBOX_PADDING has
// the width of the padding, left, top, right and bottom, relative to the
// output; it is 0 in the other modes. With FIT it is
// (1 - input proportions / output proportions) / 2 left and right if that is
// above 0, otherwise (1 - output proportions / input proportions) / 2 above and
// below, where proportions are width / height of the turned frame.
//
// Frames may have any format that OpenCV supports. A frame that needs no change
// is sent on without a copy.
//
// An empty IMAGE sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by image_transformation_test.
#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include "calculators/image/image_transformation.h"
#include "calculators/image/image_transformation_calculator.pb.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/video_stream_header.h"

namespace syncline {
namespace {

using Options = ImageTransformationCalculatorOptions;

constexpr char kImage[] = "IMAGE";
constexpr char kPrestream[] = "VIDEO_PRESTREAM";
constexpr char kRotation[] = "ROTATION_DEGREES";
constexpr char kHorizontally[] = "FLIP_HORIZONTALLY";
constexpr char kVertically[] = "FLIP_VERTICALLY";
constexpr char kDimensions[] = "OUTPUT_DIMENSIONS";
constexpr char kLetterbox[] = "LETTERBOX_PADDING";
constexpr char kMatrix[] = "MATRIX";

absl::StatusOr<Transformation> TransformationOf(const Options& options) {
  Transformation result;
  result.width = options.output_width();
  result.height = options.output_height();
  const int quarters = static_cast<int>(options.rotation_mode()) -
                       static_cast<int>(RotationMode::ROTATION_0);
  result.degrees = 90 * std::max(quarters, 0);
  result.flips_vertically = options.flip_vertically();
  result.flips_horizontally = options.flip_horizontally();
  result.scale_mode = options.scale_mode();
  result.pads_with_edge = !options.constant_padding();
  const Options::Color& color = options.padding_color();
  for (const int part : {color.red(), color.green(), color.blue()}) {
    if (part >= 0 && part <= 255) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("padding_color is from 0 to 255, but one part is ", part));
  }
  result.padding = cv::Scalar(color.red(), color.green(), color.blue(), 255);
  result.interpolation = options.interpolation_mode();
  SYNCLINE_RETURN_IF_ERROR(CheckTransformation(result));
  return result;
}

// The value of a tag in this call, if it has one.
template <typename T, typename Ports>
void ReadIfThere(Ports& ports, const char* tag, T& value) {
  if (ports.HasTag(tag) && !ports.Tag(tag).IsEmpty()) {
    value = ports.Tag(tag).template Get<T>();
  }
}

template <typename T>
void DeclareEither(CalculatorContract* cc, const char* tag) {
  cc->Inputs().Tag(tag).Set<T>().Optional();
  cc->InputSidePackets().Tag(tag).Set<T>().Optional();
}

}  // namespace

class ImageTransformationCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kImage).Set<ImageFrame>();
    cc->Outputs().Tag(kImage).Set<ImageFrame>();
    DeclareEither<int>(cc, kRotation);
    DeclareEither<bool>(cc, kHorizontally);
    DeclareEither<bool>(cc, kVertically);
    cc->InputSidePackets()
        .Tag(kDimensions)
        .Set<std::pair<int, int>>()
        .Optional();
    cc->Inputs().Tag(kPrestream).Set<VideoHeader>().Optional();
    cc->Outputs().Tag(kPrestream).Set<VideoHeader>().Optional();
    cc->Outputs().Tag(kLetterbox).Set<std::array<float, 4>>().Optional();
    cc->Outputs().Tag(kMatrix).Set<std::array<float, 16>>().Optional();
    if (cc->Outputs().HasTag(kPrestream) && !cc->Inputs().HasTag(kPrestream)) {
      return absl::InvalidArgumentError(
          "ImageTransformationCalculator has the output VIDEO_PRESTREAM, but "
          "no input VIDEO_PRESTREAM that it could be made of");
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return TransformationOf(cc->Options<Options>()).status();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(transformation_,
                              TransformationOf(cc->Options<Options>()));
    if (cc->InputSidePackets().HasTag(kDimensions)) {
      std::tie(transformation_.width, transformation_.height) =
          cc->InputSidePackets().Tag(kDimensions).Get<std::pair<int, int>>();
    }
    ReadMoves(cc->InputSidePackets());
    SYNCLINE_RETURN_IF_ERROR(CheckTransformation(transformation_));
    const Packet& header = cc->Inputs().Tag(kImage).Header();
    if (header.ValidateAsType<VideoHeader>().ok()) {
      cc->Outputs().Tag(kImage).SetHeader(
          Transformed(header.Get<VideoHeader>()));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    ReadMoves(cc->Inputs());
    SYNCLINE_RETURN_IF_ERROR(CheckTransformation(transformation_));
    if (cc->Outputs().HasTag(kPrestream) &&
        !cc->Inputs().Tag(kPrestream).IsEmpty()) {
      cc->Outputs()
          .Tag(kPrestream)
          .AddPacket(
              Transformed(cc->Inputs().Tag(kPrestream).Get<VideoHeader>())
                  .At(cc->InputTimestamp()));
    }
    if (cc->Inputs().Tag(kImage).IsEmpty()) return absl::OkStatus();
    const Packet& packet = cc->Inputs().Tag(kImage).Value();
    const auto& frame = packet.Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckAnyFrame(frame));
    if (ChangesNothing(frame.Width(), frame.Height(), transformation_)) {
      cc->Outputs().Tag(kImage).AddPacket(packet);
    } else {
      SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> result,
                                Transform(frame, transformation_, &memory_));
      cc->Outputs().Tag(kImage).Add(result.release(), cc->InputTimestamp());
    }
    const Placement placement =
        Place(frame.Width(), frame.Height(), transformation_);
    if (cc->Outputs().HasTag(kLetterbox)) {
      cc->Outputs()
          .Tag(kLetterbox)
          .AddPacket(
              MakePacket<std::array<float, 4>>(
                  LetterboxPadding(placement, transformation_.scale_mode))
                  .At(cc->InputTimestamp()));
    }
    if (cc->Outputs().HasTag(kMatrix)) {
      cc->Outputs().Tag(kMatrix).AddPacket(
          MakePacket<std::array<float, 16>>(
              TransformationMatrix(placement, transformation_))
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  template <typename Ports>
  void ReadMoves(Ports& ports) {
    ReadIfThere(ports, kRotation, transformation_.degrees);
    ReadIfThere(ports, kHorizontally, transformation_.flips_horizontally);
    ReadIfThere(ports, kVertically, transformation_.flips_vertically);
  }

  // A size that is not known stays 0.
  Packet Transformed(VideoHeader header) const {
    if (header.width > 0 && header.height > 0) {
      const cv::Size size =
          Place(header.width, header.height, transformation_).output;
      header.width = size.width;
      header.height = size.height;
    }
    return MakePacket<VideoHeader>(header);
  }

  Transformation transformation_;
  ImageFrameMemory memory_;
};
REGISTER_CALCULATOR(ImageTransformationCalculator);

}  // namespace syncline
