// The registered parameters of a calculator: component/parameter.h explains
// them, and the node's syncline.Parameters gives their values.
//
//   class BlinkCalculator : public CalculatorBase {
//    public:
//     struct Parameters {
//       Parameter<int> count;
//       void RegisterParameters(Registrar* registrar) {
//         registrar->Add(&count, {.key = "count", .default_value = 3});
//       }
//     };
//     static absl::Status GetContract(CalculatorContract* cc) {
//       ...
//       return CheckParameters<Parameters>(cc);
//     }
//     absl::Status Open(CalculatorContext* cc) override {
//       SYNCLINE_ASSIGN_OR_RETURN(parameters_, ReadParameters<Parameters>(cc));
//       ...
//
// so that a graph with a wrong value is refused when it is compiled. The error
// names node and parameter. A calculator whose dynamic parameters come on a
// stream, as packets of syncline::Parameters, applies them by UpdateParameters.
//
// Thread rule: as its arguments.
// Tested by node_parameters_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_NODE_PARAMETERS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_NODE_PARAMETERS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/component/parameter.h"
#include "framework/config/parameters.pb.h"

namespace syncline {

namespace parameter_internal {

absl::Status Check(const CalculatorContract& cc, Registrar* registrar);
absl::Status ReadInto(const CalculatorContract& cc, Registrar* registrar);

}  // namespace parameter_internal

// For GetContract: whether the node's values are good. What is odd about them
// goes to the log.
template <HasParameters P>
absl::Status CheckParameters(CalculatorContract* cc) {
  P parameters;
  Registrar registrar;
  parameters.RegisterParameters(&registrar);
  return parameter_internal::Check(*cc, &registrar);
}

// For Open: the node's values.
template <HasParameters P>
absl::StatusOr<P> ReadParameters(const CalculatorContext* cc) {
  P parameters;
  {
    Registrar registrar;
    parameters.RegisterParameters(&registrar);
    absl::Status status =
        parameter_internal::ReadInto(cc->contract(), &registrar);
    if (!status.ok()) return status;
  }
  return parameters;
}

// Gives other values to dynamic parameters. On an error nothing has changed.
template <HasParameters P>
absl::Status UpdateParameters(const Parameters& values, P* parameters) {
  P changed = *parameters;
  Registrar registrar(Registrar::Start::kPresentValues);
  changed.RegisterParameters(&registrar);
  absl::Status status = registrar.Update(values);
  if (status.ok()) *parameters = std::move(changed);
  return status;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_NODE_PARAMETERS_H_
