// RegistrationToken and Unregister: taking a registration back.
// Defined in base/name_registry.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_TOKEN_H_
#define SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_TOKEN_H_

#include "framework/base/name_registry.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_REGISTRATION_TOKEN_H_
