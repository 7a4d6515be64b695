// Paths as text. Defined in port/file_path.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_FILE_PATH_H_
#define SYNCLINE_FRAMEWORK_DEPS_FILE_PATH_H_

#include "framework/port/file_path.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_FILE_PATH_H_
