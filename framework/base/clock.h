// Clock: tells the time, and waits until a time.
//
//   void Poll(Clock* clock) {
//     const absl::Time start = clock->TimeNow();
//     clock->Sleep(absl::Milliseconds(10));
//   }
//
// A test of code that reads the wall clock has to wait, and fails on a busy
// machine. Code that is given a Clock works with both: in production with
// RealClock(), in tests with a SimulatedClock (testing/), on which ten minutes
// pass in a few milliseconds. A calculator takes its
// clock as a side packet of std::shared_ptr<Clock> or as a service.
//
// Thread rule: any thread. A thread waits only inside of Sleep and SleepUntil.
// Tested by clock_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_CLOCK_H_
#define SYNCLINE_FRAMEWORK_BASE_CLOCK_H_

#include "absl/time/time.h"

namespace syncline {

class Clock {
 public:
  // The machine's. Lives until the process ends; never to be deleted.
  static Clock* RealClock();

  virtual ~Clock() = default;

  virtual absl::Time TimeNow() = 0;
  // Waits for so long; not at all if that is not positive.
  virtual void Sleep(absl::Duration duration) = 0;
  // Waits until TimeNow() is `wake_time`; not at all if that is past.
  virtual void SleepUntil(absl::Time wake_time) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_CLOCK_H_
