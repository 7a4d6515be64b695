// Resource: the bytes of a file, or of something that replaces a file.
#ifndef SYNCLINE_FRAMEWORK_RESOURCE_H_
#define SYNCLINE_FRAMEWORK_RESOURCE_H_

#include "framework/calculator/resource.h"

#endif  // SYNCLINE_FRAMEWORK_RESOURCE_H_
