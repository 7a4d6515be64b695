// Reading and writing whole files. Defined in port/file_helpers.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_FILE_HELPERS_H_
#define SYNCLINE_FRAMEWORK_DEPS_FILE_HELPERS_H_

#include "framework/port/file_helpers.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_FILE_HELPERS_H_
