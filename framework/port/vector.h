// Small vectors of numbers. Defined in formats/vector.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
#define SYNCLINE_FRAMEWORK_PORT_VECTOR_H_

#include "framework/formats/vector.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
