#include "calculators/core/end_loop_calculator.h"

#include <array>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/tensor.h"
#include "util/render_data.pb.h"

namespace syncline {

using EndLoopBooleanCalculator = EndLoopCalculator<std::vector<bool>>;
REGISTER_CALCULATOR(EndLoopBooleanCalculator);

using EndLoopFloatCalculator = EndLoopCalculator<std::vector<float>>;
REGISTER_CALCULATOR(EndLoopFloatCalculator);

using EndLoopNormalizedRectCalculator =
    EndLoopCalculator<std::vector<NormalizedRect>>;
REGISTER_CALCULATOR(EndLoopNormalizedRectCalculator);

using EndLoopLandmarkListVectorCalculator =
    EndLoopCalculator<std::vector<LandmarkList>>;
REGISTER_CALCULATOR(EndLoopLandmarkListVectorCalculator);

using EndLoopNormalizedLandmarkListVectorCalculator =
    EndLoopCalculator<std::vector<NormalizedLandmarkList>>;
REGISTER_CALCULATOR(EndLoopNormalizedLandmarkListVectorCalculator);

using EndLoopClassificationListCalculator =
    EndLoopCalculator<std::vector<ClassificationList>>;
REGISTER_CALCULATOR(EndLoopClassificationListCalculator);

using EndLoopDetectionCalculator = EndLoopCalculator<std::vector<Detection>>;
REGISTER_CALCULATOR(EndLoopDetectionCalculator);

using EndLoopRenderDataCalculator = EndLoopCalculator<std::vector<RenderData>>;
REGISTER_CALCULATOR(EndLoopRenderDataCalculator);

using EndLoopAffineMatrixCalculator =
    EndLoopCalculator<std::vector<std::array<float, 16>>>;
REGISTER_CALCULATOR(EndLoopAffineMatrixCalculator);

using EndLoopImageSizeCalculator =
    EndLoopCalculator<std::vector<std::pair<int, int>>>;
REGISTER_CALCULATOR(EndLoopImageSizeCalculator);

using EndLoopMatrixCalculator = EndLoopCalculator<std::vector<Matrix>>;
REGISTER_CALCULATOR(EndLoopMatrixCalculator);

using EndLoopImageFrameCalculator = EndLoopCalculator<std::vector<ImageFrame>>;
REGISTER_CALCULATOR(EndLoopImageFrameCalculator);

using EndLoopImageCalculator = EndLoopCalculator<std::vector<Image>>;
REGISTER_CALCULATOR(EndLoopImageCalculator);

using EndLoopTensorCalculator = EndLoopCalculator<std::vector<Tensor>>;
REGISTER_CALCULATOR(EndLoopTensorCalculator);

}  // namespace syncline
