// Records what happens to the frames of a run: how many came, how many went to
// the detector, how long each took.
//
// Thread rule: any thread.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_FRAME_LOG_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_FRAME_LOG_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/timestamp.h"

namespace syncline {

struct FrameCounts {
  std::int64_t in = 0;        // left the player
  std::int64_t out = 0;       // refused by the limiter
  std::int64_t admitted = 0;  // came back from the detector
  std::int64_t refused = 0;   // not
  std::int64_t detected = 0;  // came back from it
  std::int64_t max_in_flight = 0;
  absl::Duration latency;  // of the last one, from the player to annotated
  Timestamp last;          // that was annotated

  std::int64_t in_flight() const { return admitted - detected; }
};

class FrameLog {
 public:
  void FrameIn(Timestamp frame) ABSL_LOCKS_EXCLUDED(mutex_);
  void Decided(bool admitted) ABSL_LOCKS_EXCLUDED(mutex_);
  void Detected() ABSL_LOCKS_EXCLUDED(mutex_);
  void FrameOut(Timestamp frame) ABSL_LOCKS_EXCLUDED(mutex_);

  FrameCounts counts() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The time within which `share` of the frames (from 0 to 1) were done.
  absl::Duration LatencyAt(double share) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable Mutex mutex_;
  FrameCounts counts_ ABSL_GUARDED_BY(mutex_);
  std::map<Timestamp, absl::Time> came_at_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Duration> latencies_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_FRAME_LOG_H_
