// absl::Status under older names. Defined in port/status.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_STATUS_H_
#define SYNCLINE_FRAMEWORK_DEPS_STATUS_H_

#include "framework/port/status.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_STATUS_H_
