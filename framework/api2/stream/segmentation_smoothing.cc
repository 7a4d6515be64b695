#include "framework/api2/stream/segmentation_smoothing.h"

#include "calculators/image/segmentation_smoothing_calculator.pb.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

Stream<Image> SmoothSegmentationMask(Stream<Image> mask,
                                     Stream<Image> previous_mask,
                                     float combine_with_previous_ratio,
                                     Graph& graph) {
  auto& node = graph.AddNode("SegmentationSmoothingCalculator");
  node.GetOptions<SegmentationSmoothingCalculatorOptions>()
      .set_combine_with_previous_ratio(combine_with_previous_ratio);
  mask >> node.In("MASK");
  previous_mask >> node.In("MASK_PREVIOUS");
  return node.Out("MASK_SMOOTHED").Cast<Image>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
