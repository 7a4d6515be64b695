// CalculatorBaseRegistry: finds calculators by name, so that `calculator: "X"`
// of a config becomes an object. It holds the factories that
// register_calculator.h makes.
//
// Thread rule: the registry is safe from any thread.
// Tested by calculator_registry_test and calculator_plugin_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_

#include <memory>

#include "framework/base/typed_registry.h"
#include "framework/calculator/register_calculator.h"  // IWYU pragma: export

namespace syncline {

using CalculatorBaseRegistry =
    GlobalFactoryRegistry<std::unique_ptr<CalculatorBaseFactory>>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_
