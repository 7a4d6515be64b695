// Calculators around other calculators. A wrapped calculator has the same ports
// and options, and behaves the same, but the wrapper sees each call.
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

// Makes the calculator that replaces `inner`.
using WrapCalculator = std::function<std::unique_ptr<CalculatorBase>(
    std::unique_ptr<CalculatorBase> inner)>;

// Registers the wrapped calculator under the name of `calculator` with `prefix`
// before it, for good, and returns that name. Its contract is that of the
// calculator. NOT_FOUND if there is no such calculator.
absl::StatusOr<std::string> RegisterWrapped(const std::string& prefix,
                                            const std::string& calculator,
                                            const WrapCalculator& wrap);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_WRAPPED_CALCULATORS_H_
