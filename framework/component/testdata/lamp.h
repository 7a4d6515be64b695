// A base that component_factory_test registers and plug-ins derive from.
#ifndef SYNCLINE_FRAMEWORK_COMPONENT_TESTDATA_LAMP_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_TESTDATA_LAMP_H_

namespace component_test {

struct Lamp {
  virtual ~Lamp() = default;
};

}  // namespace component_test

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_TESTDATA_LAMP_H_
