// SYNCLINE_RETURN_IF_ERROR and SYNCLINE_ASSIGN_OR_RETURN: pass an error on.
// Defined in base/status_macros.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_STATUS_MACROS_H_
#define SYNCLINE_FRAMEWORK_PORT_STATUS_MACROS_H_

#include "framework/base/status_macros.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_STATUS_MACROS_H_
