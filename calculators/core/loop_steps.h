// LoopSteps: the timestamps inside a loop, and the packets that all nodes send
// that begin a loop.
//
// Each item takes one step, and so does a batch without items. A batch ends at
// its last step, with a packet on BATCH_END that holds the timestamp outside
// the loop.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_LOOP_STEPS_H_
#define SYNCLINE_CALCULATORS_CORE_LOOP_STEPS_H_

#include "framework/calculator_framework.h"

namespace syncline {

class LoopSteps {
 public:
  // The common part of the contracts: CLONE, BATCH_END, and calls for each
  // settled timestamp. Errors contain the name of `calculator`.
  static absl::Status DeclareBegin(absl::string_view calculator,
                                   CalculatorContract* cc);

  // Sends `item` on ITEM, and the packets of CLONE, at the next step.
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
