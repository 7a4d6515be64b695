// CalculatorRunner: runs one calculator in a graph of its own; for tests.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RUNNER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RUNNER_H_

#include "framework/graph/calculator_runner.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RUNNER_H_
