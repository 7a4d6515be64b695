// StatusBuilder. Defined in base/status_builder.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_STATUS_BUILDER_H_
#define SYNCLINE_FRAMEWORK_DEPS_STATUS_BUILDER_H_

#include "framework/base/status_builder.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_STATUS_BUILDER_H_
