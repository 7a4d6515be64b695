// Which Syncline this is: SYNCLINE_VERSION_MAJOR, ... For C, too.
// The text is in base/version.h.
#ifndef SYNCLINE_FRAMEWORK_VERSION_H_
#define SYNCLINE_FRAMEWORK_VERSION_H_

#include "framework/base/version.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_VERSION_H_
