#include "framework/base/clock.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/no_destructor.h"

namespace syncline {
namespace {

class MachineClock : public Clock {
 public:
  absl::Time TimeNow() override { return absl::Now(); }
  void Sleep(absl::Duration duration) override { absl::SleepFor(duration); }
  void SleepUntil(absl::Time wake_time) override {
    // The machine's time may be set back meanwhile.
    for (;;) {
      const absl::Duration left = wake_time - TimeNow();
      if (left <= absl::ZeroDuration()) return;
      absl::SleepFor(left);
    }
  }
};

}  // namespace

Clock* Clock::RealClock() {
  static NoDestructor<MachineClock> clock;
  return clock.get();
}

}  // namespace syncline
