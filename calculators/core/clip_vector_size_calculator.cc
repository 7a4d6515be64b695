#include "calculators/core/clip_vector_size_calculator.h"

#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"

namespace syncline {

using ClipNormalizedRectVectorSizeCalculator =
    ClipVectorSizeCalculator<NormalizedRect>;
REGISTER_CALCULATOR(ClipNormalizedRectVectorSizeCalculator);

}  // namespace syncline
