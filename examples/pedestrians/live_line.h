// One line that says how a run is going, while this object lives: on a terminal
// twice a second, always in the same place; elsewhere a line every ten seconds.
// To standard error.
//
// Thread rule: made and destroyed by one thread; the run outlives it.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_LIVE_LINE_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_LIVE_LINE_H_

#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "examples/pedestrians/frame_log.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

// "frame 120  10.0 fps  1 in flight  60 dropped  latency 12 ms", where frames
// went from `before` to `now` in `passed`.
std::string LiveText(const FrameCounts& before, const FrameCounts& now,
                     absl::Duration passed);

class LiveLine {
 public:
  explicit LiveLine(const FrameLog* log);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

 private:
  void Write();

  const FrameLog* const log_;
  const bool is_terminal_;
  Mutex mutex_;
  CondVar ended_cv_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread writer_;
};

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_LIVE_LINE_H_
