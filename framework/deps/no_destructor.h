// NoDestructor: a static variable that is never destroyed.
// Defined in base/no_destructor.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_NO_DESTRUCTOR_H_
#define SYNCLINE_FRAMEWORK_DEPS_NO_DESTRUCTOR_H_

#include "framework/base/no_destructor.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_NO_DESTRUCTOR_H_
