// Singleton. Defined in port/singleton.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_SINGLETON_H_
#define SYNCLINE_FRAMEWORK_DEPS_SINGLETON_H_

#include "framework/port/singleton.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_SINGLETON_H_
