// Calling user code: GetContract, Open, Process and Close, guarded.
//
// If a calculator returns an error, throws, or misuses a packet, the result is
// a status that names the function and the node (call_error.h).
//
// The status covers only what the function returned. Mistakes at its output
// streams are in the context's CallRecord.
//
// Thread rule: on the thread of the call.
// Tested by invoke_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_

#include <memory>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call_error.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/legacy/legacy_support.h"

namespace syncline {

// Asks the class for its contract, and checks that contract and ports agree.
// While GetContract runs, `contract` is the current one
// (LegacyCalculatorSupport).
absl::Status InvokeGetContract(const CalculatorBaseFactory& factory,
                               CalculatorContract* contract);

// A new object.
absl::StatusOr<std::unique_ptr<CalculatorBase>> InvokeCreate(
    const CalculatorBaseFactory& factory, CalculatorContext* context);

// These need a context whose call has begun. tool::StatusStop() comes back from
// InvokeProcess as it is; from the others it is an error.
absl::Status InvokeOpen(CalculatorBase* calculator, CalculatorContext* context);
inline absl::Status InvokeProcess(CalculatorBase* calculator,
                                  CalculatorContext* context);
absl::Status InvokeClose(CalculatorBase* calculator,
                         CalculatorContext* context);

// --- implementation

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status InvokeProcess(
    CalculatorBase* calculator, CalculatorContext* context) {
  absl::Status status = CallUserCode([&] {
    const LegacyCalculatorSupport::Scoped<CalculatorContext> scope(context);
    return calculator->Process(context);
  });
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    return ProcessError(*context, status);
  }
  return status;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_INVOKE_H_
