// AssociationNormRectCalculator: AssociationCalculator for rectangles. The
// rotation of a rectangle is ignored; its id is rect_id.
//
// Thread rule: one call at a time.
// Tested by detection_calculators_test.
#include <cstdint>
#include <utility>

#include "calculators/util/association_calculator.h"
#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/rectangle.h"

namespace syncline {

class AssociationNormRectCalculator
    : public AssociationCalculator<NormalizedRect> {
 protected:
  absl::StatusOr<Rectangle_f> GetRectangle(
      const NormalizedRect& rect) override {
    return Rectangle_f(rect.x_center() - rect.width() / 2,
                       rect.y_center() - rect.height() / 2, rect.width(),
                       rect.height());
  }
  std::pair<bool, std::int64_t> GetId(const NormalizedRect& rect) override {
    return {rect.has_rect_id(), rect.rect_id()};
  }
  void SetId(NormalizedRect* rect, std::int64_t id) override {
    rect->set_rect_id(id);
  }
};
REGISTER_CALCULATOR(AssociationNormRectCalculator);

}  // namespace syncline
