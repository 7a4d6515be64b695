#include "calculators/core/merge_to_vector_calculator.h"

#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"

namespace syncline {

using MergeDetectionsToVectorCalculator = MergeToVectorCalculator<Detection>;
REGISTER_CALCULATOR(MergeDetectionsToVectorCalculator);

using MergeImagesToVectorCalculator = MergeToVectorCalculator<Image>;
REGISTER_CALCULATOR(MergeImagesToVectorCalculator);

}  // namespace syncline
