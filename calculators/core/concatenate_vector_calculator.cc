#include "calculators/core/concatenate_vector_calculator.h"

#include <cstdint>
#include <string>

#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/tensor.h"
#include "util/render_data.pb.h"

namespace syncline {

using ConcatenateFloatVectorCalculator = ConcatenateVectorCalculator<float>;
REGISTER_CALCULATOR(ConcatenateFloatVectorCalculator);

using ConcatenateInt32VectorCalculator =
    ConcatenateVectorCalculator<std::int32_t>;
REGISTER_CALCULATOR(ConcatenateInt32VectorCalculator);

using ConcatenateUInt64VectorCalculator =
    ConcatenateVectorCalculator<std::uint64_t>;
REGISTER_CALCULATOR(ConcatenateUInt64VectorCalculator);

using ConcatenateBoolVectorCalculator = ConcatenateVectorCalculator<bool>;
REGISTER_CALCULATOR(ConcatenateBoolVectorCalculator);

using ConcatenateStringVectorCalculator =
    ConcatenateVectorCalculator<std::string>;
REGISTER_CALCULATOR(ConcatenateStringVectorCalculator);

using ConcatenateLandmarkVectorCalculator =
    ConcatenateVectorCalculator<NormalizedLandmark>;
REGISTER_CALCULATOR(ConcatenateLandmarkVectorCalculator);

using ConcatenateLandmarkListVectorCalculator =
    ConcatenateVectorCalculator<LandmarkList>;
REGISTER_CALCULATOR(ConcatenateLandmarkListVectorCalculator);

using ConcatenateNormalizedLandmarkListVectorCalculator =
    ConcatenateVectorCalculator<NormalizedLandmarkList>;
REGISTER_CALCULATOR(ConcatenateNormalizedLandmarkListVectorCalculator);

// The name is misspelled, but graphs use it.
using ConcatenateLandmarListVectorCalculator =
    ConcatenateVectorCalculator<NormalizedLandmarkList>;
REGISTER_CALCULATOR(ConcatenateLandmarListVectorCalculator);

using ConcatenateClassificationListVectorCalculator =
    ConcatenateVectorCalculator<ClassificationList>;
REGISTER_CALCULATOR(ConcatenateClassificationListVectorCalculator);

using ConcatenateRenderDataVectorCalculator =
    ConcatenateVectorCalculator<RenderData>;
REGISTER_CALCULATOR(ConcatenateRenderDataVectorCalculator);

using ConcatenateImageVectorCalculator = ConcatenateVectorCalculator<Image>;
REGISTER_CALCULATOR(ConcatenateImageVectorCalculator);

using ConcatenateTensorVectorCalculator = ConcatenateVectorCalculator<Tensor>;
REGISTER_CALCULATOR(ConcatenateTensorVectorCalculator);

}  // namespace syncline
