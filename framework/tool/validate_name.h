// Checking and splitting names, tags and `TAG:index:name`.
#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_

#include "framework/calculator/port_name.h"

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_
