// A plug-in that adds one shape.

#include <string>

#include "framework/base/misuse.h"
#include "framework/base/testdata/shape.h"
#include "framework/base/type_id.h"

namespace syncline {
namespace {

class Circle : public Shape {
 public:
  std::string Name() const override { return "circle"; }
};
REGISTER_SHAPE(Circle);

}  // namespace

extern "C" {

void GetTypeOfShape(TypeId* type) { *type = TypeIdOf<Shape>(); }

void ReportMisuseInPlugin() {
  ReportMisuse(absl::InvalidArgumentError("from the plug-in"));
}

}  // extern "C"
}  // namespace syncline
