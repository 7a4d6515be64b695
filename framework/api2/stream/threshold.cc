#include "framework/api2/stream/threshold.h"

#include "calculators/util/thresholding_calculator.pb.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

Stream<bool> IsOverThreshold(Stream<float> value, double threshold,
                             Graph& graph) {
  auto& node = graph.AddNode("ThresholdingCalculator");
  node.GetOptions<ThresholdingCalculatorOptions>().set_threshold(threshold);
  value >> node.In("FLOAT");
  return node.Out("FLAG").Cast<bool>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
