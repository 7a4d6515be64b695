// Matchers of statuses. Defined in port/status_matchers.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_STATUS_MATCHERS_H_
#define SYNCLINE_FRAMEWORK_DEPS_STATUS_MATCHERS_H_

#include "framework/port/status_matchers.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_STATUS_MATCHERS_H_
