// A plug-in with a message of its own. Linked twice, as two libraries.

#include <string>

#include "framework/base/testdata/plugin_message.pb.h"
#include "framework/base/testdata/shape.h"

#ifndef SHAPE_NAME
#error "the BUILD file says what the shape is called"
#endif

namespace syncline {
namespace {

class SHAPE_NAME : public Shape {
 public:
  std::string Name() const override {
    plugin_test::PluginMessage message;
    message.set_text("spoken");
    return message.ShortDebugString();
  }
};
REGISTER_SHAPE(SHAPE_NAME);

}  // namespace
}  // namespace syncline
