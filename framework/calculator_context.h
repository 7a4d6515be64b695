// CalculatorContext: all that one call of a calculator sees.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_

#include "framework/calculator/context.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
