// MonotonicClock: a clock that never goes back, based on a clock that may.
//
//   std::unique_ptr<MonotonicClock> clock(
//       MonotonicClock::CreateSynchronizedMonotonicClock());
//   Timestamp now(absl::ToUnixMicros(clock->TimeNow()));
//
// The clock of a machine is set back now and then, but timestamps must not go
// back. While the raw clock is behind the latest time that was given, that time
// is given again.
//
// Thread rule: any thread. Times that threads get at the same moment may be
// equal.
// Tested by monotonic_clock_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_MONOTONIC_CLOCK_H_
#define SYNCLINE_FRAMEWORK_DEPS_MONOTONIC_CLOCK_H_

#include "absl/time/time.h"
#include "framework/base/clock.h"

namespace syncline {

class MonotonicClock : public Clock {
 public:
  // A clock over `raw_clock`, which must outlive it. The caller owns it.
  static MonotonicClock* CreateMonotonicClock(Clock* raw_clock);
  // A clock over the clock of the machine. All such clocks together never go
  // back: none gives a time earlier than one that another gave before. The
  // caller owns it.
  static MonotonicClock* CreateSynchronizedMonotonicClock();

  // How often the raw clock went back, and by how many seconds at most. Either
  // pointer may be null.
  virtual void GetCorrectionMetrics(int* correction_count,
                                    double* max_correction) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MONOTONIC_CLOCK_H_
