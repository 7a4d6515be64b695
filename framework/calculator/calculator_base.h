// CalculatorBase: the class that every calculator derives from.
//
//   class DoubleCalculator : public CalculatorBase {
//    public:
//     static absl::Status GetContract(CalculatorContract* cc) {
//       cc->Inputs().Index(0).Set<int>();
//       cc->Outputs().Index(0).Set<int>();
//       cc->SetTimestampOffset(0);
//       return absl::OkStatus();
//     }
//     absl::Status Process(CalculatorContext* cc) override {
//       cc->Outputs().Index(0).AddPacket(
//           MakePacket<int>(2 * cc->Inputs().Index(0).Get<int>())
//               .At(cc->InputTimestamp()));
//       return absl::OkStatus();
//     }
//   };
//   REGISTER_CALCULATOR(DoubleCalculator);
//
// A new object is made for every node and every run:
//
//   construct -> Open -> Process ... Process -> Close -> destroy
//                  └ fails: destroyed without Process and Close
//
// Thread rule: calls of one object never overlap, but may come from different
// threads. A node with max_in_flight above 1 overlaps calls of Process, and its
// calculator must be ready for that.
// Tested by calculator_base_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class CalculatorBase {
 public:
  CalculatorBase() = default;
  virtual ~CalculatorBase() = default;
  CalculatorBase(const CalculatorBase&) = delete;
  CalculatorBase& operator=(const CalculatorBase&) = delete;

  // Every calculator also has
  //   static absl::Status GetContract(CalculatorContract* cc);

  // Once, before the first input. All side packets and headers are there.
  virtual absl::Status Open(CalculatorContext* cc) { return absl::OkStatus(); }
  // Once for each input set. A source is called until it returns
  // tool::StatusStop(), which ends it; another node that returns it asks for
  // all sources to end. Any other error ends the run.
  virtual absl::Status Process(CalculatorContext* cc) = 0;
  // Once, if Open succeeded: after the last input, or when the run is given up
  // (then what is sent goes nowhere).
  virtual absl::Status Close(CalculatorContext* cc) { return absl::OkStatus(); }

  // Among sources that could run, the one with the smallest value does.
  // Default: the lowest timestamp that an open output may send next, so that
  // sources keep in step; Timestamp::Max() without any.
  virtual Timestamp SourceProcessOrder(const CalculatorContext* cc) const;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_
