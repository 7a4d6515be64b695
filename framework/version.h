// The version of Syncline: SYNCLINE_VERSION_MAJOR and others. For C, too.
#ifndef SYNCLINE_FRAMEWORK_VERSION_H_
#define SYNCLINE_FRAMEWORK_VERSION_H_

#include "framework/base/version.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_VERSION_H_
