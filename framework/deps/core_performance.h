// Says which CPU cores are the fast ones.
// Defined in scheduler/core_performance.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_CORE_PERFORMANCE_H_
#define SYNCLINE_FRAMEWORK_DEPS_CORE_PERFORMANCE_H_

#include "framework/scheduler/core_performance.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_CORE_PERFORMANCE_H_
