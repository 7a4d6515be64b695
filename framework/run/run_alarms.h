// RunAlarms: calls functions of a run at times of the steady clock, and one of
// them when the clock of the graph has been moved. (RunTimers has the times
// that nodes wait for.)
//
// An alarm that nobody added is never due, and cannot be set.
//
// Thread rule: Add and ListenTo before the others; Stop after the last SetAt;
// SetAt any thread. Functions are called without a lock, alarms on the thread
// of the alarms, and that for the clock on the thread that moved it.
// Tested by run_alarms_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_ALARMS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_ALARMS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/base/listener_list.h"
#include "framework/scheduler/alarm_thread.h"

namespace syncline {

class RunAlarms {
 public:
  enum Kind {
    kMaxDuration,      // max_duration is over
    kDeadlockTimeout,  // stop_on_deadlock_timeout is over
    kMemory,           // all queues are to be measured
    kNumKinds
  };

  void Add(Kind kind, std::function<void()> on_time) {
    alarms_[kind] = std::make_unique<Alarm>(&thread_, std::move(on_time));
  }
  bool Has(Kind kind) const { return alarms_[kind] != nullptr; }
  // Sets the time of an alarm. If it has a time already, the earlier of the two
  // counts. REQUIRES: Has(kind).
  absl::Status SetAt(Kind kind, std::int64_t steady_ns) {
    return alarms_[kind]->SetAt(steady_ns);
  }

  // Calls `moved` when `clock` has been moved.
  void ListenTo(GraphClock* clock, std::function<void()> moved) {
    listener_ = clock->AddListener(std::move(moved));
  }

  // Afterwards nothing is called any more. Waits for a call that goes on.
  void Stop() {
    listener_.End();
    thread_.Stop();
  }

  AlarmThread* thread() { return &thread_; }

 private:
  AlarmThread thread_;
  std::array<std::unique_ptr<Alarm>, kNumKinds> alarms_;
  Listener listener_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_ALARMS_H_
