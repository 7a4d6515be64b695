// GpuColorConvertCalculator: gives images another format, on the device.
//
//   node {
//     calculator: "GpuColorConvertCalculator"
//     input_stream: "images"      # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA
//     output_stream: "gray"       # GpuBuffer
//     options { [syncline.GpuColorConvertCalculatorOptions.ext] {
//       output_format: GRAY8 } }
//   }
//
// Gray is (9798 red + 19235 green + 3735 blue) / 2^15, rounded. Alpha is 255
// where the input has none. An image of the format already is passed on.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by image_filter_calculators_test.
#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/image_filter.h"
#include "framework/calculator_framework.h"
#include "gpu/kernels/color_plan.h"

namespace syncline {

class GpuColorConvertCalculator : public DeviceImageFilter {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<GpuColorConvertCalculatorOptions>();
    SYNCLINE_RETURN_IF_ERROR(PixelOrderOf(options.output_format()).status())
            .SetPrepend()
        << "GpuColorConvertCalculator, output_format: ";
    return DeclareImages(cc);
  }

 protected:
  absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                   const gpu::Stream& stream,
                                   const GpuBuffer& image) override {
    const ImageFormat::Format format =
        cc->Options<GpuColorConvertCalculatorOptions>().output_format();
    if (image.format() == format) return image;
    SYNCLINE_ASSIGN_OR_RETURN(
        const GpuBuffer converted,
        NewImage(stream, format, image.width(), image.height(), "converted"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanConvertColor(PlaceOf(image), *PixelOrderOf(image.format()),
                              PlaceOf(converted), *PixelOrderOf(format)),
        {Reads(image.memory()), Writes(converted.memory())}));
    return converted;
  }
};
REGISTER_CALCULATOR(GpuColorConvertCalculator);

}  // namespace syncline
