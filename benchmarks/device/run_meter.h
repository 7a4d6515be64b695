// What a run of a graph is measured with: packets that have arrived, and what
// is counted and timed meanwhile.
//
// Thread rule: Arrivals, any thread; a RunMeter, one.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_RUN_METER_H_
#define SYNCLINE_BENCHMARKS_DEVICE_RUN_METER_H_

#include <chrono>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "benchmarks/device/graph_runs.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/packet.h"
#include "gpu/device.h"
#include "gpu/runtime_calls.h"

namespace syncline {

// Packets that have come out.
class Arrivals {
 public:
  void Add(const Packet& packet) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    ++number_;
    newest_ = packet;
    changed_.SignalAll();
  }
  // Ends the waits.
  void Fail() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    has_failed_ = true;
    changed_.SignalAll();
  }
  // Blocks until so many have come out. False if the graph failed.
  bool WaitFor(int number) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (number_ < number && !has_failed_) changed_.Wait(&mutex_);
    return !has_failed_;
  }
  Packet newest() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return newest_;
  }
  Packet TakeNewest() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return std::move(newest_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int number_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_failed_ ABSL_GUARDED_BY(mutex_) = false;
  Packet newest_ ABSL_GUARDED_BY(mutex_);
};

// What is counted and timed from one moment to another.
class RunMeter {
 public:
  explicit RunMeter(gpu::Device* device) : device_(device) {}

  void Start() {
    counters_ = device_->counters();
    calls_ = gpu::CountRuntimeCalls();
    start_ = Clock::now();
  }
  void StopCounting(DeviceGraphRun* result) const {
    const gpu::DeviceCounters now = device_->counters();
    result->calls = gpu::CountRuntimeCalls() - calls_;
    result->counters = {
        .events_recorded = now.events_recorded - counters_.events_recorded,
        .waits_submitted = now.waits_submitted - counters_.waits_submitted,
        .host_waits = now.host_waits - counters_.host_waits,
        .allocations = now.allocations - counters_.allocations,
        .frees = now.frees - counters_.frees,
        .works_submitted = now.works_submitted - counters_.works_submitted};
  }
  void StopTime(DeviceGraphRun* result) const {
    result->run.seconds =
        std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  gpu::Device* const device_;
  gpu::DeviceCounters counters_;
  gpu::RuntimeCallCounts calls_;
  Clock::time_point start_;
};

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_RUN_METER_H_
