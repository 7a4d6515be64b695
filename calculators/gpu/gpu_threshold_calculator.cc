// GpuThresholdCalculator: makes each channel of images one of two values, on
// the device.
//
//   node {
//     calculator: "GpuThresholdCalculator"
//     input_stream: "gray"        # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA
//     output_stream: "mask"       # GpuBuffer of the same format
//     options { [syncline.GpuThresholdCalculatorOptions.ext] {
//       threshold: 100 } }
//   }
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by image_filter_calculators_test.
#include <cstdint>

#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/image_filter.h"
#include "framework/calculator_framework.h"
#include "gpu/kernels/image_plan.h"

namespace syncline {

class GpuThresholdCalculator : public DeviceImageFilter {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<GpuThresholdCalculatorOptions>();
    for (const int value :
         {options.threshold(), options.above(), options.not_above()}) {
      if (value < 0 || value > 255) {
        return absl::InvalidArgumentError(absl::StrCat(
            "GpuThresholdCalculator: threshold ", options.threshold(),
            ", above ", options.above(), ", not_above ", options.not_above(),
            "; give numbers from 0 to 255"));
      }
    }
    return DeclareImages(cc);
  }

 protected:
  absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                   const gpu::Stream& stream,
                                   const GpuBuffer& image) override {
    const auto& options = cc->Options<GpuThresholdCalculatorOptions>();
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer mask,
                              NewImage(stream, image.format(), image.width(),
                                       image.height(), "mask"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanThreshold(PlaceOf(image), PlaceOf(mask),
                           static_cast<std::uint8_t>(options.threshold()),
                           static_cast<std::uint8_t>(options.above()),
                           static_cast<std::uint8_t>(options.not_above())),
        {Reads(image.memory()), Writes(mask.memory())}));
    return mask;
  }
};
REGISTER_CALCULATOR(GpuThresholdCalculator);

}  // namespace syncline
