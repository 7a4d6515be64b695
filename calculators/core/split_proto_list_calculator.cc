#include "calculators/core/split_proto_list_calculator.h"

#include "calculators/core/list_messages.h"
#include "framework/calculator_framework.h"
#include "framework/formats/body_rig.pb.h"
#include "framework/formats/landmark.pb.h"

namespace syncline {

using SplitNormalizedLandmarkListCalculator =
    OverListMessage<SplitListsCalculator, NormalizedLandmark,
                    NormalizedLandmarkList>;
REGISTER_CALCULATOR(SplitNormalizedLandmarkListCalculator);

using SplitLandmarkListCalculator =
    OverListMessage<SplitListsCalculator, Landmark, LandmarkList>;
REGISTER_CALCULATOR(SplitLandmarkListCalculator);

using SplitJointListCalculator =
    OverListMessage<SplitListsCalculator, Joint, JointList>;
REGISTER_CALCULATOR(SplitJointListCalculator);

}  // namespace syncline
