// CalculatorContract: what a calculator needs, gives and promises.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_PUBLIC_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_PUBLIC_

#include "framework/calculator/contract.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_PUBLIC_
