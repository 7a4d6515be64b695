// Upright rectangles. Defined in formats/rectangle.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_RECTANGLE_H_
#define SYNCLINE_FRAMEWORK_DEPS_RECTANGLE_H_

#include "framework/formats/rectangle.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_RECTANGLE_H_
