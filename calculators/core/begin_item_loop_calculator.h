// BeginItemLoopCalculator: a loop over the packets of several streams, instead
// of over the elements of a collection.
//
//   node {
//     calculator: "BeginItemLoopCalculator"
//     input_stream: "ITEM:0:left"          # of one type, whatever it is
//     input_stream: "ITEM:1:right"
//     input_stream: "CLONE:frame"          # any, as many as needed
//     output_stream: "ITEM:hand"
//     output_stream: "CLONE:loop_frame"
//     output_stream: "BATCH_END:end"
//   }
//   ... "hand" and "loop_frame" become "drawing" ...
//   node {
//     calculator: "EndItemLoopCalculator"
//     input_stream: "ITEM:drawing"
//     input_stream: "BATCH_END:end"
//     output_stream: "ITEM:0:left_drawing"
//     output_stream: "ITEM:1:right_drawing"
//   }
//
//   ITEM:0     l@100             -           bound 301
//   ITEM:1     r@100             s@200       bound 301
//   ITEM       l@0   r@1               s@3   bound 6
//   BATCH_END        100@1             200@3   300@5
//
// It works like BeginLoopCalculator, with one step of the time inside the loop
// for each ITEM stream. An empty input takes its step too, without a packet.
// EndItemLoopCalculator takes a batch with all items or with none, so a loop
// that ends there makes something for the empty step, or drops what the other
// steps have. Packets are sent on without a copy.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_BEGIN_ITEM_LOOP_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_BEGIN_ITEM_LOOP_CALCULATOR_H_

#include "calculators/core/loop_steps.h"
#include "framework/calculator_framework.h"

namespace syncline {

class BeginItemLoopCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Process(CalculatorContext* cc) override;

 private:
  LoopSteps steps_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_BEGIN_ITEM_LOOP_CALCULATOR_H_
