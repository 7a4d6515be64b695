// A plug-in with a name that the program has too.

#include <string>

#include "framework/base/testdata/shape.h"

namespace syncline {
namespace {

class Square : public Shape {
 public:
  std::string Name() const override { return "another square"; }
};
REGISTER_SHAPE(Square);

}  // namespace
}  // namespace syncline
