// Factories by name: GlobalFactoryRegistry,
// REGISTER_FACTORY_FUNCTION_QUALIFIED. Defined in base/typed_registry.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_
#define SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_

#include "framework/base/typed_registry.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_
