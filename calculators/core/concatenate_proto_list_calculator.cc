#include "calculators/core/concatenate_proto_list_calculator.h"

#include "calculators/core/list_messages.h"
#include "framework/calculator_framework.h"
#include "framework/formats/body_rig.pb.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {

using ConcatenateNormalizedLandmarkListCalculator =
    OverListMessage<ConcatenateListsCalculator, NormalizedLandmark,
                    NormalizedLandmarkList>;
REGISTER_CALCULATOR(ConcatenateNormalizedLandmarkListCalculator);

using ConcatenateLandmarkListCalculator =
    OverListMessage<ConcatenateListsCalculator, Landmark, LandmarkList>;
REGISTER_CALCULATOR(ConcatenateLandmarkListCalculator);

using ConcatenateClassificationListCalculator =
    OverListMessage<ConcatenateListsCalculator, Classification,
                    ClassificationList>;
REGISTER_CALCULATOR(ConcatenateClassificationListCalculator);

using ConcatenateJointListCalculator =
    OverListMessage<ConcatenateListsCalculator, Joint, JointList>;
REGISTER_CALCULATOR(ConcatenateJointListCalculator);

}  // namespace syncline
