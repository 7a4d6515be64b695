// Notices: tells somebody that work of devices is over, without polling and
// without a thread that waits.
//
//   notices->CallWhenOver(points, [listeners] { listeners->Notify(); });
//
// A stream of its own waits, on the device, for the points, and a host function
// comes after that. The streams of others are not held up, and may be gone
// already. A host function must not use devices, and whoever is told may do
// anything; so the notice thread makes all calls (notice_thread.h).
//
//   driver's thread ──host function──> queue ──> notice thread ──> function
//
// Only a host function that has run says that work has ended. Work that fails
// is over as well, and its host function is destroyed: the function that is
// told asks the device. Where the driver refuses an event, a stream or the host
// function, nobody is told: the call is an error.
//
// Thread rule: any thread.
// Tested by notices_test.

#ifndef SYNCLINE_GPU_NOTICES_H_
#define SYNCLINE_GPU_NOTICES_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "gpu/device.h"
#include "gpu/notice_thread.h"
#include "gpu/stream.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class Notices : public std::enable_shared_from_this<Notices> {
 public:
  // Its streams keep their devices.
  static std::shared_ptr<Notices> Make() {
    return std::shared_ptr<Notices>(new Notices(/*keeps_devices=*/true));
  }
  // Those of the device, which destroys them, for who has none of his own.
  static std::shared_ptr<Notices> Of(Device& device);
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  // Calls `over` once, on the notice thread, when all work of `points` is over.
  // The host knows that then, as after a wait, also where a later event of the
  // stream is the newest.
  // Keeps their devices until then. It is called too if the work fails after
  // this. After an error it is not called: those of a device that has failed,
  // and of a driver that refuses what it takes to be told.
  absl::Status CallWhenOver(absl::Span<const WorkPoint> points,
                            std::function<void()> over);

  // Streams that wait for nothing now.
  std::size_t num_idle_streams() const ABSL_LOCKS_EXCLUDED(mutex_);

  // As NoticeThread.
  static void Post(std::function<void()> function) {
    NoticeThread::Post(std::move(function));
  }
  static void WaitForPosted() { NoticeThread::WaitForPosted(); }

 private:
  struct Asked;
  class Notice;
  struct OfDevice;

  explicit Notices(bool keeps_devices) : keeps_devices_(keeps_devices) {}
  absl::Status CallForGroup(absl::Span<const WorkPoint> points,
                            const std::shared_ptr<Device>& device,
                            std::function<void()> over);
  static void NoteEnded(const std::vector<WorkPoint>& points);
  absl::StatusOr<Stream> TakeStream(const std::shared_ptr<Device>& device)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void GiveBack(Stream stream) ABSL_LOCKS_EXCLUDED(mutex_);

  const bool keeps_devices_;
  mutable Mutex mutex_;
  std::vector<Stream> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NOTICES_H_
