// SYNCLINE_LOC. Defined in base/source_location.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_SOURCE_LOCATION_H_
#define SYNCLINE_FRAMEWORK_DEPS_SOURCE_LOCATION_H_

#include "framework/base/source_location.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_SOURCE_LOCATION_H_
