// SYNCLINE_LOC: the file and line of the code where it stands.
// Defined in base/source_location.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_
#define SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_

#include "framework/base/source_location.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_SOURCE_LOCATION_H_
