// SYNCLINE_RETURN_IF_ERROR and SYNCLINE_ASSIGN_OR_RETURN.
// Defined in base/status_macros.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_STATUS_MACROS_H_
#define SYNCLINE_FRAMEWORK_DEPS_STATUS_MACROS_H_

#include "framework/base/status_macros.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_STATUS_MACROS_H_
