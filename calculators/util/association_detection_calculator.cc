// AssociationDetectionCalculator: AssociationCalculator for detections. Their
// places are boxes relative to the image; their id is detection_id.
//
// Thread rule: one call at a time.
// Tested by detection_calculators_test.
#include <cstdint>
#include <utility>

#include "absl/types/optional.h"
#include "calculators/util/association_calculator.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/port/rectangle.h"

namespace syncline {

class AssociationDetectionCalculator : public AssociationCalculator<Detection> {
 protected:
  absl::StatusOr<Rectangle_f> GetRectangle(
      const Detection& detection) override {
    return RelativeBoxOf(detection.location_data(), absl::nullopt);
  }
  std::pair<bool, std::int64_t> GetId(const Detection& detection) override {
    return {detection.has_detection_id(), detection.detection_id()};
  }
  void SetId(Detection* detection, std::int64_t id) override {
    detection->set_detection_id(id);
  }
};
REGISTER_CALCULATOR(AssociationDetectionCalculator);

}  // namespace syncline
