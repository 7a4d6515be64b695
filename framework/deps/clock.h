// Clock: tells code the time; tests can give it a clock of their own.
#ifndef SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_
#define SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_

#include "framework/base/clock.h"

#endif  // SYNCLINE_FRAMEWORK_DEPS_CLOCK_H_
