// DeviceClock: when, on the host's clock, a device came to an event.
//
// Idea: a device tells only how much time is between two of its events. So the
// clock records an event of its own now and then, on a stream that has nothing
// else to do, and looks when it ends:
//
//   host     told ── not ended ── not ended ── ended      the event is between
//   device               ·············X·····              the last two looks
//
// Other events are placed by their distance from that one. A comparison gets
// worse with age, since clocks drift apart: each second the tightest of a few
// new ones takes its place, if it is better by then. Nothing here waits for the
// device but WaitForFirst(): an event that has not ended in a moment is looked
// at again next time.
//
// Of a stand-in that runs in steps the times are steps, which no clock of the
// host knows: only the differences of times mean something.
//
// Thread rule: any thread.
// Tested by device_clock_test.

#ifndef SYNCLINE_GPU_DEVICE_CLOCK_H_
#define SYNCLINE_GPU_DEVICE_CLOCK_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "gpu/device.h"
#include "gpu/driver.h"
#include "gpu/time_event.h"

namespace syncline::gpu {

class DeviceClock {
 public:
  // `device` outlives the clock. Makes nothing before the first Compare().
  explicit DeviceClock(Device* device) : device_(device) {}
  ~DeviceClock();
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  // CLOCK_MONOTONIC, in nanoseconds.
  static std::int64_t HostNow();

  // Compares the clocks, if that is due or has not been possible so far. Takes
  // up to a few hundred microseconds, and nothing if another thread is at it.
  void Compare() ABSL_LOCKS_EXCLUDED(compare_mutex_, mutex_);
  // The same, and blocks until there is a comparison at all. The error of the
  // device.
  absl::Status WaitForFirst() ABSL_LOCKS_EXCLUDED(compare_mutex_, mutex_);

  // When the device came to `event`, which has ended, in nanoseconds of
  // CLOCK_MONOTONIC. UNAVAILABLE before the first comparison.
  absl::StatusOr<std::int64_t> HostTimeOf(const TimeEvent& event) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // By how much the comparison in force can be wrong, drift apart. Nothing
  // before the first.
  absl::optional<std::int64_t> error_ns() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // An event that ended between two times of the host.
  struct Comparison {
    TimeEvent event;
    // The host's time of the event, and how wrong that may be.
    std::int64_t host_ns = 0;
    std::int64_t error_ns = 0;
    std::int64_t seen_ns = 0;
  };
  struct Probe {
    TimeEvent event;
    // It had not ended at this time.
    std::int64_t not_ended_ns = 0;
  };

  void CompareLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(compare_mutex_);
  // Records the event of a probe, if there is none.
  absl::Status BeginProbe() ABSL_EXCLUSIVE_LOCKS_REQUIRED(compare_mutex_);
  // Looks at the probe for so long, at least once. Null if it has not ended.
  absl::StatusOr<std::shared_ptr<const Comparison>> EndProbe(
      std::int64_t patience_ns) ABSL_EXCLUSIVE_LOCKS_REQUIRED(compare_mutex_);
  void KeepIfBetter(std::shared_ptr<const Comparison> comparison)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const Comparison> best() const ABSL_LOCKS_EXCLUDED(mutex_);

  Device* const device_;

  // Held while the clocks are compared, one thread at a time.
  Mutex compare_mutex_;
  absl::optional<StreamHandle> stream_ ABSL_GUARDED_BY(compare_mutex_);
  absl::optional<Probe> probe_ ABSL_GUARDED_BY(compare_mutex_);
  std::int64_t due_ns_ ABSL_GUARDED_BY(compare_mutex_) = 0;

  mutable Mutex mutex_;
  std::shared_ptr<const Comparison> best_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_CLOCK_H_
