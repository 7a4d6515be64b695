// CalculatorBase: what every calculator derives from.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_

#include "framework/calculator/calculator_base.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_
