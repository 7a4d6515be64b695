// ConcatenateDetectionVectorCalculator: see concatenate_vector_calculator.h.
#include "calculators/core/concatenate_vector_calculator.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {

using ConcatenateDetectionVectorCalculator =
    ConcatenateVectorCalculator<Detection>;
REGISTER_CALCULATOR(ConcatenateDetectionVectorCalculator);

}  // namespace syncline
