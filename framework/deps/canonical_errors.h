// absl::NotFoundError and similar functions under older names, and
// NotFoundErrorBuilder and similar ones.

#ifndef SYNCLINE_FRAMEWORK_DEPS_CANONICAL_ERRORS_H_
#define SYNCLINE_FRAMEWORK_DEPS_CANONICAL_ERRORS_H_

#include "framework/base/status_builder.h"    // IWYU pragma: export
#include "framework/port/canonical_errors.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_CANONICAL_ERRORS_H_
