// FindOrDie and similar functions. Defined in port/map_util.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_MAP_UTIL_H_
#define SYNCLINE_FRAMEWORK_DEPS_MAP_UTIL_H_

#include "framework/port/map_util.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_MAP_UTIL_H_
