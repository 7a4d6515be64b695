// Notices: tells somebody that work of devices is over, without polling and
// without a thread that waits.
//
//   notices->CallWhenOver(points, [listeners] { listeners->Notify(); });
//
// A stream of its own waits, on the device, for the points, and a host function
// comes after that. The streams of others are not held up, and may be gone
// already. A host function must not use devices, and whoever is told may do
// anything; so there is one thread for all calls, which sleeps in between.
//
//   driver's thread ──host function──> queue ──> notice thread ──> function
//
// Work that fails is over as well: the function asks the device.
//
// A thread that chooses the order of all that happens has a NoticeCollector:
// the functions that it posts wait there, in place of the notice thread.
//
// Thread rule: any thread.
// Tested by notices_test.

#ifndef SYNCLINE_GPU_NOTICES_H_
#define SYNCLINE_GPU_NOTICES_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "gpu/device.h"
#include "gpu/stream.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class Notices : public std::enable_shared_from_this<Notices> {
 public:
  static std::shared_ptr<Notices> Make() {
    return std::shared_ptr<Notices>(new Notices);
  }
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  // Calls `over` once, on the notice thread, when all work of `points` is over.
  // The host knows that then, as after a wait, also where a later event of the
  // stream is the newest.
  // Keeps their devices until then. After an error, which is the device's, it
  // may be called as well.
  absl::Status CallWhenOver(absl::Span<const WorkPoint> points,
                            std::function<void()> over);

  // Streams that wait for nothing now.
  std::size_t num_idle_streams() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `function` on the notice thread. Returns at once.
  static void Post(std::function<void()> function);
  // Returns when what was posted before has been called. For tests.
  static void WaitForPosted();

 private:
  class Notice;

  Notices() = default;
  absl::Status CallForGroup(absl::Span<const WorkPoint> points,
                            const std::shared_ptr<Device>& device,
                            std::function<void()> over);
  static void NoteEnded(const std::vector<WorkPoint>& points);
  absl::StatusOr<Stream> TakeStream(const std::shared_ptr<Device>& device)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void GiveBack(Stream stream) ABSL_LOCKS_EXCLUDED(mutex_);

  mutable Mutex mutex_;
  std::vector<Stream> idle_ ABSL_GUARDED_BY(mutex_);
};

// While it exists, what the thread that made it posts waits here. The innermost
// one counts. For tests that run devices without threads.
//
// Thread rule: one thread.
class NoticeCollector {
 public:
  NoticeCollector();
  // What has not been called goes to the notice thread.
  ~NoticeCollector();
  NoticeCollector(const NoticeCollector&) = delete;
  NoticeCollector& operator=(const NoticeCollector&) = delete;

  bool empty() const { return functions_.empty(); }
  // Calls the one that came first. REQUIRES: !empty().
  void CallNext();

 private:
  friend class Notices;

  // Of this thread; null for none.
  static NoticeCollector*& Innermost();
  // For Notices: false if this thread has none.
  static bool Take(std::function<void()>* function);

  NoticeCollector* const outer_;
  std::deque<std::function<void()>> functions_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NOTICES_H_
