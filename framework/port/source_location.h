// SYNCLINE_LOC: a place in the code.
// The text is in base/source_location.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_
#define SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_

#include "framework/base/source_location.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_
