// REGISTER_CALCULATOR and the registry of calculators.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_REGISTRY_H_

#include "framework/calculator/calculator_registry.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_REGISTRY_H_
