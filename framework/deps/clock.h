// Clock: the time that code is given.
#ifndef SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_
#define SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_

#include "framework/base/clock.h"

#endif  // SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_
