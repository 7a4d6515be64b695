// GraphClock: the clock of a graph. Its conditions and timeouts use no other.
// It counts nanoseconds. There are three kinds, in which time passes
// differently:
//
//   RealtimeClock   by itself       as the machine's steady clock, from an
//                                   offset, faster or slower by a scale
//   ManualClock     when idle       jumps to the next time that somebody waits
//                                   for, when nothing can run at this one: an
//                                   hour takes as long as its work
//   SyntheticClock  when told       moves only by AdvanceTo and AdvanceBy, from
//                                   a recording or a simulation
//
// Clocks decide when a node may run. They never decide which packets are
// processed together: timestamps do.
//
// Times are std::int64_t nanoseconds. A sum that would overflow is the largest
// (or smallest) value of that type. No clock ever goes back.
//
// SLEEP. A RealtimeClock waits for this duration of its own time: at scale 2,
// for half of the real time. On a ManualClock, Sleep moves time for everybody
// and returns at once. On a SyntheticClock it waits until somebody else has
// told the clock.
//
// Thread rule: every function, any thread. Listeners are called on the thread
// that changed the time, without a lock.
// Tested by graph_clock_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_GRAPH_CLOCK_H_
#define SYNCLINE_FRAMEWORK_BASE_GRAPH_CLOCK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/clock.h"
#include "framework/base/cond_var.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"

namespace syncline {

// The sum, or the end of the range that it would pass.
std::int64_t SaturatingAddNs(std::int64_t a_ns, std::int64_t b_ns);

class GraphClock : public Clock {
 public:
  enum class Passing { kByItself, kWhenIdle, kWhenTold };

  virtual std::int64_t NowNs() = 0;
  virtual Passing passing() const = 0;

  // NowNs() as GXF and Holoscan call it: in seconds, and in nanoseconds.
  double time() { return static_cast<double>(NowNs()) * 1e-9; }
  std::int64_t timestamp() { return NowNs(); }

  // NowNs() as nanoseconds of the Unix epoch.
  absl::Time TimeNow() final { return absl::FromUnixNanos(NowNs()); }
  void Sleep(absl::Duration duration) final;
  void SleepUntil(absl::Time wake_time) final;
  // How many threads are in one of these now.
  int num_sleeping() const {
    return num_sleeping_.load(std::memory_order_relaxed);
  }
  // As GXF has it: a negative duration is INVALID_ARGUMENT.
  absl::Status SleepFor(std::int64_t duration_ns);

  // The std::chrono::steady_clock time, in nanoseconds, at which NowNs()
  // reaches `target_ns` if nobody changes the clock; a past time for what has
  // been reached, the greatest number for what time by itself never reaches.
  virtual std::int64_t SteadyNsOf(std::int64_t target_ns) = 0;

  // Where time does not pass by itself: moves it forward, and calls the
  // listeners before returning. FAILED_PRECONDITION, and nothing happens, when
  // it would go back or time passes by itself.
  virtual absl::Status AdvanceTo(std::int64_t target_ns);
  virtual absl::Status AdvanceBy(std::int64_t duration_ns);

  // Calls `changed` whenever somebody has moved the time or changed its scale:
  // whoever waits for a time then looks again.
  Listener AddListener(std::function<void()> changed) {
    return listeners_.Add(std::move(changed));
  }

 protected:
  // Waits, in the way of this clock, until NowNs() is at least `target_ns`.
  virtual void WaitUntilNs(std::int64_t target_ns) = 0;
  void NotifyListeners() { listeners_.Notify(); }

 private:
  void SleepUntilNs(std::int64_t target_ns);

  ListenerList listeners_;
  std::atomic<int> num_sleeping_{0};
};

class RealtimeClock : public GraphClock {
 public:
  struct Options {
    // Seconds that the clock shows at first. Finite, and at most 292 years.
    double initial_time_offset = 0.0;
    // Seconds of this clock per second of the machine. Finite, above 0.
    double initial_time_scale = 1.0;
    // Adds the time since the Unix epoch to the offset. Read once: the clock
    // does not follow when the machine's time of day is set.
    bool use_time_since_epoch = false;
  };

  // INVALID_ARGUMENT for numbers outside of those limits.
  static absl::StatusOr<std::shared_ptr<RealtimeClock>> Create(
      const Options& options);
  // With the default options.
  RealtimeClock();

  std::int64_t NowNs() override;
  Passing passing() const override { return Passing::kByItself; }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override;

  // From now on time passes `scale` times as fast as the machine's; what has
  // passed stays. INVALID_ARGUMENT, and nothing happens, unless it is finite
  // and above 0.
  absl::Status SetTimeScale(double scale) ABSL_LOCKS_EXCLUDED(mutex_);
  double time_scale() const { return Read().scale; }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Time as a function of the steady clock's: a straight line.
  struct Line {
    std::int64_t steady_ns;  // where it begins
    std::int64_t clock_ns;   // and what this clock showed there
    double scale;

    std::int64_t At(std::int64_t steady) const;
    std::int64_t SteadyOf(std::int64_t target_ns) const;
  };

  RealtimeClock(const Options& options, std::int64_t epoch_ns);
  // `steady_ns`, if not null, is set to a time at which the line was valid.
  Line Read(std::int64_t* steady_ns = nullptr) const;
  void Write(const Line& line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // The line, for readers that never wait: they read again when the version was
  // odd or has changed meanwhile. Written under the lock.
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::int64_t> steady_ns_;
  std::atomic<std::int64_t> clock_ns_;
  std::atomic<double> scale_;

  Mutex mutex_;
  CondVar scale_changed_;
};

// Common to the two whose time is a number that is set.
class SteppedClock : public GraphClock {
 public:
  explicit SteppedClock(std::int64_t initial_timestamp)
      : now_ns_(initial_timestamp) {}

  std::int64_t NowNs() override {
    return now_ns_.load(std::memory_order_acquire);
  }
  // Never, for times to come.
  std::int64_t SteadyNsOf(std::int64_t target_ns) override;
  absl::Status AdvanceTo(std::int64_t target_ns) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status AdvanceBy(std::int64_t duration_ns) override
      ABSL_LOCKS_EXCLUDED(mutex_);

 protected:
  Mutex mutex_;
  CondVar advanced_;

 private:
  // Advances to the time that `target_of` says, given the time now.
  template <typename TargetOf>
  absl::Status Advance(TargetOf target_of) ABSL_LOCKS_EXCLUDED(mutex_);

  // Written under the lock.
  std::atomic<std::int64_t> now_ns_;
};

class ManualClock : public SteppedClock {
 public:
  explicit ManualClock(std::int64_t initial_timestamp = 0)
      : SteppedClock(initial_timestamp) {}
  Passing passing() const override { return Passing::kWhenIdle; }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {
    // Fails where somebody else has moved time beyond the target.
    AdvanceTo(target_ns).IgnoreError();
  }
};

class SyntheticClock : public SteppedClock {
 public:
  explicit SyntheticClock(std::int64_t initial_timestamp = 0)
      : SteppedClock(initial_timestamp) {}
  Passing passing() const override { return Passing::kWhenTold; }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override ABSL_LOCKS_EXCLUDED(mutex_);
};

// What a graph's config says of its clock; what is absent has its default.
struct GraphClockParameters {
  absl::optional<double> initial_time_offset;      // RealtimeClock
  absl::optional<double> initial_time_scale;       // RealtimeClock
  absl::optional<bool> use_time_since_epoch;       // RealtimeClock
  absl::optional<std::int64_t> initial_timestamp;  // the others, nanoseconds
};

// The clock that `name` means: "RealtimeClock", "ManualClock" or
// "SyntheticClock", also with "nvidia::gxf::", "holoscan::" or "syncline::"
// before it. NOT_FOUND with the nearest names for another name,
// INVALID_ARGUMENT for a parameter that this clock does not have or refuses.
absl::StatusOr<std::shared_ptr<GraphClock>> MakeGraphClock(
    absl::string_view name, const GraphClockParameters& parameters = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_GRAPH_CLOCK_H_
