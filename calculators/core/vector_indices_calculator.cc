#include "calculators/core/vector_indices_calculator.h"

#include <cstdint>

#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {

using IntVectorIndicesCalculator = VectorIndicesCalculator<int>;
REGISTER_CALCULATOR(IntVectorIndicesCalculator);

using Uint64tVectorIndicesCalculator = VectorIndicesCalculator<std::uint64_t>;
REGISTER_CALCULATOR(Uint64tVectorIndicesCalculator);

using NormalizedLandmarkListVectorIndicesCalculator =
    VectorIndicesCalculator<NormalizedLandmarkList>;
REGISTER_CALCULATOR(NormalizedLandmarkListVectorIndicesCalculator);

}  // namespace syncline
