// LambdaBase: a test calculator whose calls are functions that the test gives,
// each of them optional: as side packets OPEN, PROCESS and CLOSE or, where the
// test has the calculator itself, as its members.
//
//   class LambdaCalculator : public LambdaBase<CalculatorBase> {};
//   REGISTER_CALCULATOR(LambdaCalculator);
//
//   node { calculator: "LambdaCalculator" input_side_packet: "PROCESS:f" ... }
//
// Streams carry packets of any type; the GetContract of a derived class may say
// something else, and calls DeclareFunctions(). `Base` is CalculatorBase, or a
// class derived from it.
//
// Thread rule: a function runs on whatever thread calls the calculator.
// Tested by test_calculators_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_TEST_LAMBDA_BASE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_TEST_LAMBDA_BASE_H_

#include <functional>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"

namespace syncline {

using LambdaFunction = std::function<absl::Status(CalculatorContext*)>;

template <typename Base>
class LambdaBase : public Base {
 public:
  // These come before the side packets.
  LambdaFunction open;
  LambdaFunction process;
  LambdaFunction close;

  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    for (PacketType& output : cc->Outputs()) output.SetAny();
    DeclareFunctions(cc);
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    return Call(open, "OPEN", cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    return Call(process, "PROCESS", cc);
  }
  absl::Status Close(CalculatorContext* cc) override {
    return Call(close, "CLOSE", cc);
  }

 protected:
  static void DeclareFunctions(CalculatorContract* cc) {
    for (const char* const tag : {"OPEN", "PROCESS", "CLOSE"}) {
      if (cc->InputSidePackets().HasTag(tag)) {
        cc->InputSidePackets().Tag(tag).template Set<LambdaFunction>();
      }
    }
  }

 private:
  static absl::Status Call(const LambdaFunction& function, const char* tag,
                           CalculatorContext* cc) {
    if (function != nullptr) return function(cc);
    if (!cc->InputSidePackets().HasTag(tag)) return absl::OkStatus();
    return cc->InputSidePackets().Tag(tag).template Get<LambdaFunction>()(cc);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_TEST_LAMBDA_BASE_H_
