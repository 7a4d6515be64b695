// LegacyCalculatorSupport: the CalculatorContext of the call that the current
// thread runs.
#ifndef SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_

#include "framework/calculator/legacy/legacy_support.h"

#endif  // SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_
