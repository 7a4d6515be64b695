// ImagePropertiesCalculator: sends the size of an image.
//
//   node {
//     calculator: "ImagePropertiesCalculator"
//     input_stream: "IMAGE:frames"     # Image or ImageFrame; or IMAGE_CPU
//     output_stream: "SIZE:size"       # std::pair<int, int>: width, height
//   }
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by image_calculators_test.
#include <utility>

#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"

namespace syncline {

class ImagePropertiesCalculator : public api2::Node {
 public:
  using AnyImage = api2::OneOf<Image, ImageFrame>;
  static constexpr api2::Input<AnyImage>::Optional kImage{"IMAGE"};
  static constexpr api2::Input<AnyImage>::Optional kImageCpu{"IMAGE_CPU"};
  static constexpr api2::Output<std::pair<int, int>> kSize{"SIZE"};
  SYNCLINE_NODE_CONTRACT(kImage, kImageCpu, kSize);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    if (kImage(cc).IsConnected() != kImageCpu(cc).IsConnected()) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        "the size of which image? Connect either IMAGE or IMAGE_CPU");
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto image =
        kImage(cc).IsConnected() ? kImage(cc).packet() : kImageCpu(cc).packet();
    if (image.IsEmpty()) return absl::OkStatus();
    kSize(cc).Send(image.Visit(
        [](const Image& i) { return std::make_pair(i.width(), i.height()); },
        [](const ImageFrame& i) {
          return std::make_pair(i.Width(), i.Height());
        }));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(ImagePropertiesCalculator);

}  // namespace syncline
