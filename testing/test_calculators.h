// The small calculators that tests of graphs are made of.
//
// Streams carry int, options are TestCalculatorOptions, and all packets and
// calculators are counted (see lifetimes.h). Unless it says otherwise, a node
// sends at its input timestamp, to all of its outputs.
//
//   NumberSourceCalculator  0, 1, 2, ... `count` of them, each `period` later
//   SumCalculator             the sum of the inputs that have a packet
//   RunningCountCalculator    how many packets it has seen
//   DelayCalculator           each input on its output, `shift` later; with
//                             `promise_offset` a timestamp offset
//   FilterCalculator          lets values through that are `multiples_of`
//   UnitDelayCalculator       each value at the time of the next: starts with
//                             `value`, then each input `period` later; for
//                             loops
//   FaultyCalculator          like Sum, with a `fault`; without inputs like
//                             NumberSource
//   BlockingCalculator        like Sum, after the Latch of side packet LATCH
//   WorkCalculator            like Sum, after `busy_us` and `sleep_us`
//   BoundSenderCalculator     no packets: bounds, `shift` after each input
//   BoundRecorderCalculator   called for bounds too; how many inputs have a
//                             packet
//   SidePacketSourceCalculator  `value` as output side packets
//   SidePacketSumCalculator   the sum of `value` and the input side packets, as
//                             output side packets; streams: plus the input
//   LambdaCalculator          what the side packets OPEN, PROCESS and CLOSE say
//                             (LambdaFunction; each optional); packets of any
//                             type. LambdaBoundsCalculator is called for bounds
//                             too, LambdaOffsetCalculator has an offset of 0.
//
// They are written as users write theirs, in about ten lines each.
//
// Thread rule: Latch is safe from any thread. FaultyCalculator, SumCalculator,
// BlockingCalculator and WorkCalculator can run several calls at once.
// Tested by test_calculators_test.

#ifndef SYNCLINE_TESTING_TEST_CALCULATORS_H_
#define SYNCLINE_TESTING_TEST_CALCULATORS_H_

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/calculator/test_lambda_base.h"

namespace syncline {

// A door that a test opens. Given to BlockingCalculator as Packet of Latch*.
class Latch {
 public:
  Latch() = default;
  Latch(const Latch&) = delete;
  Latch& operator=(const Latch&) = delete;

  // Lets all through who wait, and who come.
  void Open() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits until it is open.
  void Wait() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits until so many have come to Wait, the open ones included.
  void WaitForArrivals(int count) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  Mutex mutex_;
  CondVar changed_;
  bool is_open_ ABSL_GUARDED_BY(mutex_) = false;
  int arrivals_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_TEST_CALCULATORS_H_
