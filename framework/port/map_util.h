// FindOrDie and its like. The text is in deps/map_util.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_
#define SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_

#include "framework/deps/map_util.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_
