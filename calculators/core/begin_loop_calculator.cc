#include "calculators/core/begin_loop_calculator.h"

#include <cstdint>
#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/tensor.h"

namespace syncline {

using BeginLoopIntCalculator = BeginLoopCalculator<std::vector<int>>;
REGISTER_CALCULATOR(BeginLoopIntCalculator);

using BeginLoopUint64tCalculator =
    BeginLoopCalculator<std::vector<std::uint64_t>>;
REGISTER_CALCULATOR(BeginLoopUint64tCalculator);

using BeginLoopFloatCalculator = BeginLoopCalculator<std::vector<float>>;
REGISTER_CALCULATOR(BeginLoopFloatCalculator);

using BeginLoopStringCalculator = BeginLoopCalculator<std::vector<std::string>>;
REGISTER_CALCULATOR(BeginLoopStringCalculator);

using BeginLoopDetectionCalculator =
    BeginLoopCalculator<std::vector<Detection>>;
REGISTER_CALCULATOR(BeginLoopDetectionCalculator);

using BeginLoopNormalizedLandmarkListVectorCalculator =
    BeginLoopCalculator<std::vector<NormalizedLandmarkList>>;
REGISTER_CALCULATOR(BeginLoopNormalizedLandmarkListVectorCalculator);

using BeginLoopNormalizedRectCalculator =
    BeginLoopCalculator<std::vector<NormalizedRect>>;
REGISTER_CALCULATOR(BeginLoopNormalizedRectCalculator);

using BeginLoopMatrixCalculator = BeginLoopCalculator<std::vector<Matrix>>;
REGISTER_CALCULATOR(BeginLoopMatrixCalculator);

using BeginLoopMatrixVectorCalculator =
    BeginLoopCalculator<std::vector<std::vector<Matrix>>>;
REGISTER_CALCULATOR(BeginLoopMatrixVectorCalculator);

using BeginLoopImageFrameCalculator =
    BeginLoopCalculator<std::vector<ImageFrame>>;
REGISTER_CALCULATOR(BeginLoopImageFrameCalculator);

using BeginLoopImageCalculator = BeginLoopCalculator<std::vector<Image>>;
REGISTER_CALCULATOR(BeginLoopImageCalculator);

using BeginLoopTensorCalculator = BeginLoopCalculator<std::vector<Tensor>>;
REGISTER_CALCULATOR(BeginLoopTensorCalculator);

}  // namespace syncline
