// Reading and writing whole files. The text is in deps/file_helpers.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_
#define SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_

#include "framework/deps/file_helpers.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_
