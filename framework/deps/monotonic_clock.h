// MonotonicClock: a clock that never goes back, over one that may.
//
//   std::unique_ptr<MonotonicClock> clock(
//       MonotonicClock::CreateSynchronizedMonotonicClock());
//   Timestamp now(absl::ToUnixMicros(clock->TimeNow()));
//
// A machine's time is set back now and then, and timestamps must not be. While
// the clock below is behind the latest time that was given, that time is given
// again.
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
  // A clock over the machine's. All of them together never go back: what one
  // gave, no other is behind. The caller owns it.
  static MonotonicClock* CreateSynchronizedMonotonicClock();

  // How often the clock below went back, and how far in seconds it was behind
  // at most. A null pointer asks for nothing.
  virtual void GetCorrectionMetrics(int* correction_count,
                                    double* max_correction) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MONOTONIC_CLOCK_H_
