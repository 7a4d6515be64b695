// EndItemLoopCalculator: what came out of a loop over streams, to a stream for
// each.
//
//   node {
//     calculator: "EndItemLoopCalculator"
//     input_stream: "ITEM:drawing"
//     input_stream: "BATCH_END:end"        # of BeginItemLoopCalculator
//     output_stream: "ITEM:0:left_drawing"
//     output_stream: "ITEM:1:right_drawing"
//   }
//
//   ITEM       a@0   b@1               c@3
//   BATCH_END        100@1             200@3
//   ITEM:0           a@100             bound 201
//   ITEM:1           b@100             c@200
//
// The item at step i of a batch goes to ITEM:i, at the time outside; there are
// as many outputs as the node that begins the loop has inputs ITEM. An empty
// item, which a node in the loop did not answer, sends nothing: only the bound
// goes out. An item beyond the outputs is an error of the run.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_

#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {

class EndItemLoopCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 private:
  std::vector<Packet> items_;  // of this batch, by output
  Timestamp batch_begin_ = Timestamp(0);
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_
