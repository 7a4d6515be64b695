// Factories by name: GlobalFactoryRegistry,
// REGISTER_FACTORY_FUNCTION_QUALIFIED. Defined in base/registry.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_
#define SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_

#include "framework/base/registry.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_H_
