// Calling user code: GetContract, Open, Process and Close, guarded.
//
// Whatever a calculator does (returns an error, throws, misuses a packet) comes
// back as a status that says which function of which node it was. The texts are
// the ones that users of graphs know.
//
// Only what the function returned is reported here. What it did wrong at its
// output streams stands in the context's CallRecord.
//
// Thread rule: on the thread of the call.
// Tested by invoke_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"

namespace syncline {

// Asks the class for its contract, and checks that contract and ports agree.
absl::Status InvokeGetContract(const CalculatorBaseFactory& factory,
                               CalculatorContract* contract);

// A new object.
absl::StatusOr<std::unique_ptr<CalculatorBase>> InvokeCreate(
    const CalculatorBaseFactory& factory, CalculatorContext* context);

// These need a context whose call has begun. tool::StatusStop() comes back from
// InvokeProcess as it is; from the others it is an error.
absl::Status InvokeOpen(CalculatorBase* calculator, CalculatorContext* context);
absl::Status InvokeProcess(CalculatorBase* calculator,
                           CalculatorContext* context);
absl::Status InvokeClose(CalculatorBase* calculator,
                         CalculatorContext* context);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_
