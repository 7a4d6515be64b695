// LegacyCalculatorSupport: the context of the call that a thread is in.
#ifndef SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_

#include "framework/calculator/legacy_support.h"

#endif  // SYNCLINE_FRAMEWORK_LEGACY_CALCULATOR_SUPPORT_H_
