// TraceSwitch: which recorder the runs of a graph note their events with, if
// any. It is switched while runs go on.
//
// Thread rule: any thread. A recorder that was once switched on stays as long
// as the switch does, since a thread may just be about to use it.
// Tested by trace_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_SWITCH_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_SWITCH_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

class TraceSwitch {
 public:
  // Null: nothing is traced.
  TraceRecorder* recorder() const {
    return recorder_.load(std::memory_order_acquire);
  }

  void TurnOn(std::shared_ptr<TraceRecorder> recorder)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    recorder_.store(recorder.get(), std::memory_order_release);
    if (all_.empty() || all_.back() != recorder) {
      all_.push_back(std::move(recorder));
    }
  }
  void TurnOff() { recorder_.store(nullptr, std::memory_order_release); }

 private:
  std::atomic<TraceRecorder*> recorder_{nullptr};
  Mutex mutex_;
  std::vector<std::shared_ptr<TraceRecorder>> all_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_SWITCH_H_
