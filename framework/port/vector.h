// Small vectors of numbers. Defined in base/vector.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
#define SYNCLINE_FRAMEWORK_PORT_VECTOR_H_

#include "framework/base/vector.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
