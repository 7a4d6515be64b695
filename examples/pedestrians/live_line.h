// While this object lives, it writes the state of a run to standard error: on a
// terminal one line that is rewritten twice a second, elsewhere a new line
// every ten seconds.
//
// Thread rule: made and destroyed by one thread; the run must outlive it.
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

// "frame 120  10.0 fps  1 in flight  60 dropped  latency 12 ms", where the
// counts changed from `before` to `now` in the time `passed`.
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
