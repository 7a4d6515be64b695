// ClipDetectionVectorSizeCalculator: see clip_vector_size_calculator.h.
#include "calculators/core/clip_vector_size_calculator.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {

using ClipDetectionVectorSizeCalculator = ClipVectorSizeCalculator<Detection>;
REGISTER_CALCULATOR(ClipDetectionVectorSizeCalculator);

}  // namespace syncline
