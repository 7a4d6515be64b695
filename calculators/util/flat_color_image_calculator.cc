// FlatColorImageCalculator: makes images of one colour.
//
//   node {
//     calculator: "FlatColorImageCalculator"
//     input_stream: "IMAGE:image"          # Image: be as large as this
//     output_stream: "IMAGE:background"    # Image, of format SRGB
//     options { [syncline.FlatColorImageCalculatorOptions.ext] {
//       color { r: 255 g: 255 b: 255 } } }
//   }
//
// The size is that of the packet of IMAGE, or that of the options. The colour
// is the packet of COLOR (message Color), or that of the options. Components of
// a colour are clamped to 0 and 255.
//
// The output is the stream IMAGE, with an image for each packet of the inputs,
// of which there is at least one, or the side packet IMAGE, with one image;
// then size and colour are those of the options:
//
//   node {
//     calculator: "FlatColorImageCalculator"
//     output_side_packet: "IMAGE:background"
//     options { [syncline.FlatColorImageCalculatorOptions.ext] {
//       output_width: 640 output_height: 480 color { g: 255 } } }
//   }
//
// If a connected stream is empty nothing is sent; the bound passes through
// (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by image_conversion_calculators_test.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "calculators/util/flat_color_image_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "util/color.pb.h"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kColor[] = "COLOR";

std::uint8_t ByteOf(int part) {
  return static_cast<std::uint8_t>(std::clamp(part, 0, 255));
}

std::shared_ptr<ImageFrame> FlatFrame(int width, int height,
                                      const Color& color) {
  auto frame = std::make_shared<ImageFrame>(ImageFormat::SRGB, width, height);
  const std::array<std::uint8_t, 3> pixel = {
      ByteOf(color.r()), ByteOf(color.g()), ByteOf(color.b())};
  for (int y = 0; y < height; ++y) {
    std::uint8_t* out =
        frame->MutablePixelData() + std::ptrdiff_t{y} * frame->WidthStep();
    for (int x = 0; x < width; ++x) {
      out = std::copy(pixel.begin(), pixel.end(), out);
    }
  }
  return frame;
}

}  // namespace

class FlatColorImageCalculator : public CalculatorBase {
 public:
  using Options = FlatColorImageCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    const bool has_size =
        options.has_output_width() || options.has_output_height();
    if (cc->Inputs().HasTag(kImage) == has_size) {
      return absl::InvalidArgumentError(
          "how large? Connect IMAGE or set output_width and output_height, one "
          "of the two");
    }
    if (has_size &&
        (options.output_width() <= 0 || options.output_height() <= 0)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "output_width and output_height are ", options.output_width(),
          " and ", options.output_height(), ", but have to be above 0"));
    }
    if (cc->Inputs().HasTag(kColor) == options.has_color()) {
      return absl::InvalidArgumentError(
          "which colour? Connect COLOR or set the option color, one of the "
          "two");
    }
    SYNCLINE_RETURN_IF_ERROR(CheckOutput(cc));
    cc->Inputs().Tag(kImage).Set<Image>().Optional();
    cc->Inputs().Tag(kColor).Set<Color>().Optional();
    cc->Outputs().Tag(kImage).Set<Image>().Optional();
    cc->OutputSidePackets().Tag(kImage).Set<Image>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (!cc->OutputSidePackets().HasTag(kImage)) return absl::OkStatus();
    const auto& options = cc->Options<Options>();
    cc->OutputSidePackets().Tag(kImage).Set(MakePacket<Image>(FlatFrame(
        options.output_width(), options.output_height(), options.color())));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!cc->Outputs().HasTag(kImage)) return absl::OkStatus();
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) return absl::OkStatus();
    }
    const auto& options = cc->Options<Options>();
    std::pair<int, int> size = {options.output_width(),
                                options.output_height()};
    if (cc->Inputs().HasTag(kImage)) {
      const auto& image = cc->Inputs().Tag(kImage).Get<Image>();
      size = {image.width(), image.height()};
    }
    const Color& color = cc->Inputs().HasTag(kColor)
                             ? cc->Inputs().Tag(kColor).Get<Color>()
                             : options.color();
    cc->Outputs().Tag(kImage).AddPacket(
        MakePacket<Image>(FlatFrame(size.first, size.second, color))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  static absl::Status CheckOutput(CalculatorContract* cc) {
    const bool has_side_packet = cc->OutputSidePackets().HasTag(kImage);
    if (cc->Outputs().HasTag(kImage) == has_side_packet) {
      return absl::InvalidArgumentError(
          "where to? Connect IMAGE as an output stream or as an output side "
          "packet, one of the two");
    }
    const bool has_input = cc->Inputs().NumEntries() > 0;
    if (has_side_packet && has_input) {
      return absl::InvalidArgumentError(
          "the side packet IMAGE is made before there are packets, so its size "
          "and colour come from the options; disconnect the inputs");
    }
    if (!has_side_packet && !has_input) {
      return absl::InvalidArgumentError(
          "when? Connect IMAGE or COLOR: an image is sent for each packet. For "
          "a single image, connect IMAGE as an output side packet");
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FlatColorImageCalculator);

}  // namespace syncline
