#include "calculators/core/vector_size_calculator.h"

#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {

using LandmarkListVectorSizeCalculator = VectorSizeCalculator<LandmarkList>;
REGISTER_CALCULATOR(LandmarkListVectorSizeCalculator);

using ClassificationListVectorSizeCalculator =
    VectorSizeCalculator<ClassificationList>;
REGISTER_CALCULATOR(ClassificationListVectorSizeCalculator);

}  // namespace syncline
