#include "examples/pedestrians/frame_log.h"

#include <algorithm>
#include <cstddef>

#include "absl/time/clock.h"

namespace syncline {

void FrameLog::FrameIn(Timestamp frame) {
  const absl::Time now = absl::Now();
  MutexLock lock(&mutex_);
  ++counts_.in;
  came_at_[frame] = now;
}

void FrameLog::Decided(bool admitted) {
  MutexLock lock(&mutex_);
  ++(admitted ? counts_.admitted : counts_.refused);
  counts_.max_in_flight = std::max(counts_.max_in_flight, counts_.in_flight());
}

void FrameLog::Detected() {
  MutexLock lock(&mutex_);
  ++counts_.detected;
}

void FrameLog::FrameOut(Timestamp frame) {
  const absl::Time now = absl::Now();
  MutexLock lock(&mutex_);
  ++counts_.out;
  counts_.last = frame;
  const auto came_at = came_at_.find(frame);
  if (came_at == came_at_.end()) return;
  counts_.latency = now - came_at->second;
  latencies_.push_back(counts_.latency);
  came_at_.erase(came_at);
}

FrameCounts FrameLog::counts() const {
  MutexLock lock(&mutex_);
  return counts_;
}

absl::Duration FrameLog::LatencyAt(double share) const {
  MutexLock lock(&mutex_);
  if (latencies_.empty()) return absl::ZeroDuration();
  std::vector<absl::Duration> sorted = latencies_;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(
      share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace syncline
