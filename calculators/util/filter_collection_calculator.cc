#include "calculators/util/filter_collection_calculator.h"

#include <cstdint>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {

using FilterUInt64CollectionCalculator =
    FilterCollectionCalculator<std::vector<std::uint64_t>>;
REGISTER_CALCULATOR(FilterUInt64CollectionCalculator);

using FilterNormalizedRectCollectionCalculator =
    FilterCollectionCalculator<std::vector<NormalizedRect>>;
REGISTER_CALCULATOR(FilterNormalizedRectCollectionCalculator);

using FilterLandmarkListCollectionCalculator =
    FilterCollectionCalculator<std::vector<LandmarkList>>;
REGISTER_CALCULATOR(FilterLandmarkListCollectionCalculator);

using FilterNormalizedLandmarkListCollectionCalculator =
    FilterCollectionCalculator<std::vector<NormalizedLandmarkList>>;
REGISTER_CALCULATOR(FilterNormalizedLandmarkListCollectionCalculator);

using FilterClassificationListCollectionCalculator =
    FilterCollectionCalculator<std::vector<ClassificationList>>;
REGISTER_CALCULATOR(FilterClassificationListCollectionCalculator);

}  // namespace syncline
