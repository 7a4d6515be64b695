// GpuResizeCalculator: gives images another size, on the device.
//
//   node {
//     calculator: "GpuResizeCalculator"
//     input_stream: "images"      # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA
//     output_stream: "small"      # GpuBuffer of the same format
//     options { [syncline.GpuResizeCalculatorOptions.ext] {
//       width: 320 interpolation: NEAREST } }
//   }
//
// Pixels are squares, whose centers are compared. Results are the same on every
// device. Making an image much smaller leaves pixels out: there is no average
// over areas.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// An image without pixels can only become one without pixels.
//
// Thread rule: calls may overlap.
// Tested by image_filter_calculators_test.
#include <algorithm>
#include <cstdint>

#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/image_filter.h"
#include "framework/calculator_framework.h"
#include "gpu/kernels/image_plan.h"

namespace syncline {

class GpuResizeCalculator : public DeviceImageFilter {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<GpuResizeCalculatorOptions>();
    if (options.width() < 0 || options.height() < 0 ||
        (options.width() == 0 && options.height() == 0)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "GpuResizeCalculator: width ", options.width(), " and height ",
          options.height(), "; give one of them, or both, above 0"));
    }
    return DeclareImages(cc);
  }

 protected:
  absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                   const gpu::Stream& stream,
                                   const GpuBuffer& image) override {
    const auto& options = cc->Options<GpuResizeCalculatorOptions>();
    const int width =
        options.width() > 0
            ? options.width()
            : Proportional(options.height(), image.width(), image.height());
    const int height =
        options.height() > 0
            ? options.height()
            : Proportional(options.width(), image.height(), image.width());
    if (width == image.width() && height == image.height()) return image;
    SYNCLINE_ASSIGN_OR_RETURN(
        const GpuBuffer resized,
        NewImage(stream, image.format(), width, height, "resized"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanResize(
            PlaceOf(image), PlaceOf(resized),
            options.interpolation() == GpuResizeCalculatorOptions::NEAREST
                ? gpu::Interpolation::kNearest
                : gpu::Interpolation::kBilinear),
        {Reads(image.memory()), Writes(resized.memory())}));
    return resized;
  }

 private:
  // `side` times part / whole, rounded, at least 1 and at most 2^20, the
  // longest side that there is; 0 if there is no part.
  static int Proportional(int side, int part, int whole) {
    if (part == 0 || whole == 0) return part;
    const std::int64_t product = std::int64_t{side} * part;
    return static_cast<int>(std::clamp<std::int64_t>(
        (2 * product + whole) / (2 * std::int64_t{whole}), 1, 1 << 20));
  }
};
REGISTER_CALCULATOR(GpuResizeCalculator);

}  // namespace syncline
