// CalculatorContext: all that one call of a calculator sees.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_PUBLIC_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_PUBLIC_

#include "framework/calculator/context.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_PUBLIC_
