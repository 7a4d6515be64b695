// RET_CHECK and similar macros, with SYNCLINE_RETURN_IF_ERROR and
// SYNCLINE_ASSIGN_OR_RETURN. Defined in base/ret_check.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_
#define SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_

#include "framework/base/ret_check.h"      // IWYU pragma: export
#include "framework/base/status_macros.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_
