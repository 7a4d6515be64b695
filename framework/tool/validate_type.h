// RunGeneratorFillExpectations and RunGenerateAndValidateTypes, for tests of
// packet generators.
#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_

#include "framework/calculator/packet_generator.h"

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_
