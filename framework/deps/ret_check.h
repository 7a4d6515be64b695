// RET_CHECK and similar macros. Defined in base/ret_check.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_RET_CHECK_H_
#define SYNCLINE_FRAMEWORK_DEPS_RET_CHECK_H_

#include "framework/base/ret_check.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_RET_CHECK_H_
