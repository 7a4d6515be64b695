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
//   ITEM       a@0   b@1
//   BATCH_END        100@1   200@3
//   ITEM:0           a@100   bound 201
//   ITEM:1           b@100   bound 201
//
// Item i of a batch, counted from 0, is sent on ITEM:i, at the timestamp
// outside the loop. There are as many outputs as the node that begins the loop
// has ITEM inputs. An empty ITEM adds nothing. A batch without items sends
// nothing: only the bounds are raised. A batch that has items, but fewer or
// more than there are outputs, ends the run with an error. So a loop has a
// packet in each of its steps or in none.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_

#include <cstddef>
#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {

class EndItemLoopCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 private:
  // Sends the items of the batch, which has all of them or none, at `time`.
  void SendBatch(Timestamp time, CalculatorContext* cc);

  std::size_t num_outputs_ = 0;
  std::vector<Packet> items_;  // of this batch, so far
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_END_ITEM_LOOP_CALCULATOR_H_
