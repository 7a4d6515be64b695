// EndItemLoopCalculator: sends the results of a loop over streams, each to a
// stream of its own.
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
// The item at step i of a batch is sent on ITEM:i, at the timestamp outside the
// loop. There are as many outputs as the node that begins the loop has ITEM
// inputs. An empty item, for which the loop sent no packet, sends nothing: only
// the bound is raised. An item without an output ends the run with an error.
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
