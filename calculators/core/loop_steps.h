// LoopSteps: time inside a loop, and what all nodes that begin a loop send.
//
// Each item takes one step of time, and so does a batch without items. A batch
// ends with the time outside on BATCH_END, at its last step.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_LOOP_STEPS_H_
#define SYNCLINE_CALCULATORS_CORE_LOOP_STEPS_H_

#include "framework/calculator_framework.h"

namespace syncline {

class LoopSteps {
 public:
  // The part of a contract that all have: CLONE, BATCH_END, and to be called
  // for each settled time. Errors are in the name of `calculator`.
  static absl::Status DeclareBegin(absl::string_view calculator,
                                   CalculatorContract* cc);

  // Sends `item` to ITEM, and what CLONE has, at the next step.
  void SendItem(Packet item, CalculatorContext* cc);
  // Takes a step without an item.
  void Skip() { ++next_; }
  // Ends the batch of this call, after a step if it had none.
  void EndBatch(CalculatorContext* cc);

 private:
  Timestamp next_ = Timestamp(0);
  Timestamp batch_begin_ = Timestamp(0);
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_LOOP_STEPS_H_
