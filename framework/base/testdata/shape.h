// What the program and the plug-ins of plugin_test share: a registry of shapes.

#ifndef SYNCLINE_FRAMEWORK_BASE_TESTDATA_SHAPE_H_
#define SYNCLINE_FRAMEWORK_BASE_TESTDATA_SHAPE_H_

#include <memory>
#include <string>

#include "framework/base/typed_registry.h"

namespace syncline {

class Shape {
 public:
  virtual ~Shape() = default;
  virtual std::string Name() const = 0;
};

using ShapeRegistry = GlobalFactoryRegistry<std::unique_ptr<Shape>>;

#define REGISTER_SHAPE(name)                                     \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(::syncline::ShapeRegistry, \
                                      shape_registration, name,  \
                                      std::make_unique<name>)

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_TESTDATA_SHAPE_H_
