// RunDeviceTimes: the time that devices took for the nodes of a run, for its
// runtime information and its trace.
//
// Thread rule: any thread.
// Tested by run_device_times_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_DEVICE_TIMES_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_DEVICE_TIMES_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/base/mutex.h"
#include "framework/node/node_snapshot.h"
#include "framework/trace/device_times.h"
#include "framework/trace/trace_switch.h"

namespace syncline {

class RunDeviceTimes : public DeviceTimes {
 public:
  // `is_shown`: the runtime information has the times. `trace` is borrowed.
  RunDeviceTimes(bool is_shown, const TraceSwitch* trace)
      : is_shown_(is_shown), trace_(trace) {}

  // --- DeviceTimes
  bool wants_times() const override {
    return is_shown_ || trace_->recorder() != nullptr;
  }
  void Add(const Work& work) override ABSL_LOCKS_EXCLUDED(mutex_);

  // `snapshots` by node.
  void AddTo(absl::Span<NodeSnapshot> snapshots) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Total {
    std::int64_t ns = 0;
    std::int64_t calls = 0;
  };

  const bool is_shown_;
  const TraceSwitch* const trace_;
  mutable Mutex mutex_;
  // By node; few have device work.
  HashMap<int, Total> totals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_DEVICE_TIMES_H_
