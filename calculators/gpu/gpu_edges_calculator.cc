// GpuEdgesCalculator: the edges of images, white on black, on the device.
//
//   node {
//     calculator: "GpuEdgesCalculator"
//     input_stream: "images"      # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA
//     output_stream: "edges"      # GpuBuffer of GRAY8
//   }
//
// A pixel of the result is the length of the gradient there, by Sobel's
// operator over 3x3 pixels, rounded down, and at most 255. Beyond the border,
// the outer pixels go on. Images in colour are made gray first. All is in
// integers: results are the same on every device.
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
#include "gpu/kernels/image_plan.h"

namespace syncline {

class GpuEdgesCalculator : public DeviceImageFilter {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return DeclareImages(cc);
  }

 protected:
  absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                   const gpu::Stream& stream,
                                   const GpuBuffer& image) override {
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer gray, GrayOf(stream, image));
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer edges,
                              NewImage(stream, ImageFormat::GRAY8,
                                       image.width(), image.height(), "edges"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanEdges(PlaceOf(gray), PlaceOf(edges),
                       cc->Options<GpuEdgesCalculatorOptions>().sum_of_sides()),
        {Reads(gray.memory()), Writes(edges.memory())}));
    return edges;
  }

 private:
  absl::StatusOr<GpuBuffer> GrayOf(const gpu::Stream& stream,
                                   const GpuBuffer& image) {
    if (image.format() == ImageFormat::GRAY8) return image;
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer gray,
                              NewImage(stream, ImageFormat::GRAY8,
                                       image.width(), image.height(), "gray"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanConvertColor(PlaceOf(image), *PixelOrderOf(image.format()),
                              PlaceOf(gray), gpu::PixelOrder::kGray),
        {Reads(image.memory()), Writes(gray.memory())}));
    return gray;
  }
};
REGISTER_CALCULATOR(GpuEdgesCalculator);

}  // namespace syncline
