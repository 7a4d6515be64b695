#include "calculators/core/split_vector_calculator.h"

#include <array>
#include <cstdint>

#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/tensor.h"

namespace syncline {

using SplitLandmarkVectorCalculator =
    SplitVectorCalculator<NormalizedLandmark, false>;
REGISTER_CALCULATOR(SplitLandmarkVectorCalculator);

using SplitNormalizedLandmarkListVectorCalculator =
    SplitVectorCalculator<NormalizedLandmarkList, false>;
REGISTER_CALCULATOR(SplitNormalizedLandmarkListVectorCalculator);

using SplitNormalizedRectVectorCalculator =
    SplitVectorCalculator<NormalizedRect, false>;
REGISTER_CALCULATOR(SplitNormalizedRectVectorCalculator);

using SplitDetectionVectorCalculator = SplitVectorCalculator<Detection, false>;
REGISTER_CALCULATOR(SplitDetectionVectorCalculator);

using SplitClassificationListVectorCalculator =
    SplitVectorCalculator<ClassificationList, false>;
REGISTER_CALCULATOR(SplitClassificationListVectorCalculator);

using SplitUint64tVectorCalculator =
    SplitVectorCalculator<std::uint64_t, false>;
REGISTER_CALCULATOR(SplitUint64tVectorCalculator);

using SplitFloatVectorCalculator = SplitVectorCalculator<float, false>;
REGISTER_CALCULATOR(SplitFloatVectorCalculator);

using SplitAffineMatrixVectorCalculator =
    SplitVectorCalculator<std::array<float, 16>, false>;
REGISTER_CALCULATOR(SplitAffineMatrixVectorCalculator);

using SplitMatrixVectorCalculator = SplitVectorCalculator<Matrix, false>;
REGISTER_CALCULATOR(SplitMatrixVectorCalculator);

using SplitImageVectorCalculator = SplitVectorCalculator<Image, false>;
REGISTER_CALCULATOR(SplitImageVectorCalculator);

using MovableSplitImageFrameVectorCalculator =
    SplitVectorCalculator<ImageFrame, true>;
REGISTER_CALCULATOR(MovableSplitImageFrameVectorCalculator);

using SplitTensorVectorCalculator = SplitVectorCalculator<Tensor, true>;
REGISTER_CALCULATOR(SplitTensorVectorCalculator);

}  // namespace syncline
