#include "framework/deps/monotonic_clock.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace {

// The latest time that was given to a caller. Several clocks may share it.
class LatestTime {
 public:
  // The last answer of the raw clock.
  absl::Time raw() {
    MutexLock lock(&mutex_);
    return raw_;
  }

  // The time to give to a caller if the raw clock says `raw` and said
  // `raw_before` earlier.
  absl::Time Advance(absl::Time raw_before, absl::Time raw) {
    MutexLock lock(&mutex_);
    if (raw < raw_before) ++corrections_;
    raw_ = raw;
    // If `raw` is earlier than latest_ but not than raw_before, this thread was
    // slow; the clock did not go back.
    if (raw < raw_before) {
      max_correction_ = std::max(max_correction_, latest_ - raw);
    }
    latest_ = std::max(latest_, raw);
    return latest_;
  }

  void GetMetrics(int* corrections, double* max_correction) {
    MutexLock lock(&mutex_);
    if (corrections != nullptr) *corrections = corrections_;
    if (max_correction != nullptr) {
      *max_correction = absl::ToDoubleSeconds(max_correction_);
    }
  }

 private:
  Mutex mutex_;
  absl::Time raw_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  absl::Time latest_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  int corrections_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Duration max_correction_ ABSL_GUARDED_BY(mutex_);
};

class ClockOverAnother : public MonotonicClock {
 public:
  ClockOverAnother(Clock* raw_clock, std::shared_ptr<LatestTime> latest)
      : raw_clock_(raw_clock), latest_(std::move(latest)) {}

  absl::Time TimeNow() override {
    // Asks the raw clock without the lock, since it is code of the user.
    const absl::Time before = latest_->raw();
    return latest_->Advance(before, raw_clock_->TimeNow());
  }
  void Sleep(absl::Duration duration) override { raw_clock_->Sleep(duration); }
  void SleepUntil(absl::Time wake_time) override {
    const absl::Duration left = wake_time - TimeNow();
    if (left > absl::ZeroDuration()) raw_clock_->Sleep(left);
  }
  void GetCorrectionMetrics(int* correction_count,
                            double* max_correction) override {
    latest_->GetMetrics(correction_count, max_correction);
  }

 private:
  Clock* const raw_clock_;
  const std::shared_ptr<LatestTime> latest_;
};

}  // namespace

MonotonicClock* MonotonicClock::CreateMonotonicClock(Clock* raw_clock) {
  return new ClockOverAnother(raw_clock, std::make_shared<LatestTime>());
}

MonotonicClock* MonotonicClock::CreateSynchronizedMonotonicClock() {
  static const auto* const latest =
      new std::shared_ptr<LatestTime>(std::make_shared<LatestTime>());
  return new ClockOverAnother(Clock::RealClock(), *latest);
}

}  // namespace syncline
