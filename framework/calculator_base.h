// CalculatorBase, and the registry of calculators.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_

#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_BASE_H_
