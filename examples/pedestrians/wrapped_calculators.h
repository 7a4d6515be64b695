// Calculators around other calculators: for all the world the same, with the
// same ports and options, but somebody is called in between.
//
// Thread rule: any thread.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_WRAPPED_CALCULATORS_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_WRAPPED_CALCULATORS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"

namespace syncline {

// What takes the place of a calculator.
using WrapCalculator = std::function<std::unique_ptr<CalculatorBase>(
    std::unique_ptr<CalculatorBase> inner)>;

// Registers what `wrap` makes of the calculator under its name with `prefix`,
// which is returned, and stays registered. Its contract is that of the
// calculator. NOT_FOUND if there is no such calculator.
absl::StatusOr<std::string> RegisterWrapped(const std::string& prefix,
                                            const std::string& calculator,
                                            const WrapCalculator& wrap);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_WRAPPED_CALCULATORS_H_
