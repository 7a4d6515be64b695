// A plug-in that was linked without a part of itself.

#include <string>

#include "framework/base/testdata/shape.h"

namespace syncline {

std::string NameThatNobodyDefines();

namespace {

class Triangle : public Shape {
 public:
  std::string Name() const override { return NameThatNobodyDefines(); }
};
REGISTER_SHAPE(Triangle);

}  // namespace
}  // namespace syncline
