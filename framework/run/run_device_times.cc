#include "framework/run/run_device_times.h"

#include <algorithm>

#include "framework/trace/trace_recorder.h"

namespace syncline {

void RunDeviceTimes::Add(const Work& work) {
  TraceRecorder* const recorder = trace_->recorder();
  if (recorder != nullptr) {
    recorder->NoteDeviceWork(work.node_id, work.timestamp, work.stream,
                             work.begin_ns, work.end_ns);
  }
  MutexLock lock(&mutex_);
  Total& total = totals_[work.node_id];
  total.ns += std::max<std::int64_t>(0, work.end_ns - work.begin_ns);
  ++total.calls;
}

void RunDeviceTimes::AddTo(absl::Span<NodeSnapshot> snapshots) const {
  MutexLock lock(&mutex_);
  for (const auto& [node, total] : totals_) {
    snapshots[node].device_time_ns = total.ns;
    snapshots[node].device_calls = total.calls;
  }
}

}  // namespace syncline
