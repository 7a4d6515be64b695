// RET_CHECK and its family, with SYNCLINE_RETURN_IF_ERROR and its like.
// The text is in base/ret_check.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_
#define SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_

#include "framework/base/ret_check.h"      // IWYU pragma: export
#include "framework/base/status_macros.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_RET_CHECK_H_
