// For tests: calculators whose calls are functions of the test, and configs
// that use them.
//
// Thread rule: a function runs on whatever thread calls the calculator.

#ifndef SYNCLINE_FRAMEWORK_REPORT_TEST_LAMBDA_H_
#define SYNCLINE_FRAMEWORK_REPORT_TEST_LAMBDA_H_

#include <string>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

// What a TestLambda calls; all of its streams carry int. Side packets OPEN,
// PROCESS and CLOSE are optional, and so is Process: it does nothing then.
//
// TestLambda promises nothing, TestLambdaOffset has a timestamp offset of 0,
// TestLambdaBounds has Process called for bounds too. An input side packet
// without tag is an int that the calculator may read; an output side packet
// without tag is an int that it may set.
using TestFunction = LambdaFunction;

CalculatorGraphConfig TestConfig(const std::string& text);

// Sends the input, the sum of the inputs, to all outputs.
absl::Status SendSum(CalculatorContext* cc);
// A source of 0, 1, ... `last` at these timestamps.
TestFunction CountTo(int last);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_TEST_LAMBDA_H_
