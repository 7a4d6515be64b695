// Points of a plane. Defined in formats/point2.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_POINT2_H_
#define SYNCLINE_FRAMEWORK_PORT_POINT2_H_

#include "framework/formats/point2.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_POINT2_H_
