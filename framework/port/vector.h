// Small vectors of numbers. The text is in deps/vector.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
#define SYNCLINE_FRAMEWORK_PORT_VECTOR_H_

#include "framework/deps/vector.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_VECTOR_H_
