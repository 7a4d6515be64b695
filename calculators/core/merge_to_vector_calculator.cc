#include "calculators/core/merge_to_vector_calculator.h"

#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {

using MergeDetectionsToVectorCalculator = MergeToVectorCalculator<Detection>;
REGISTER_CALCULATOR(MergeDetectionsToVectorCalculator);

}  // namespace syncline
