// Parameters that a calculator registers, and how it reads their values.
#ifndef SYNCLINE_FRAMEWORK_PARAMETER_H_
#define SYNCLINE_FRAMEWORK_PARAMETER_H_

#include "framework/calculator/node_parameters.h"
#include "framework/component/parameter.h"

#endif  // SYNCLINE_FRAMEWORK_PARAMETER_H_
