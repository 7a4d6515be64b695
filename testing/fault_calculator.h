// The calculator that stands in for another one, and makes faults happen.
//
// Thread rule: as for calculators.
// Tested by fault_injection_test.

#ifndef SYNCLINE_TESTING_FAULT_CALCULATOR_H_
#define SYNCLINE_TESTING_FAULT_CALCULATOR_H_

#include <memory>
#include <string>

#include "framework/calculator/calculator_registry.h"
#include "testing/fault_orders.h"

namespace syncline {

// A factory with the contract of `real`, whose calculators forward to those of
// `real` and do what is ordered for the node at the time when they are made.
std::unique_ptr<CalculatorBaseFactory> WrapForFaults(
    std::string node, std::unique_ptr<CalculatorBaseFactory> real,
    std::shared_ptr<FaultOrders> orders);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FAULT_CALCULATOR_H_
