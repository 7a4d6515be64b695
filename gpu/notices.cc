#include "gpu/notices.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {

// What one stream is asked to tell.
struct Notices::Asked {
  // They keep the device, and so are destroyed last.
  std::vector<WorkPoint> points;
  std::shared_ptr<Notices> notices;
  Stream stream;
  std::function<void()> over;
};

// Held by the host function, which calls Fire(). If the driver took it and
// destroys it instead, work before it has failed.
class Notices::Notice {
 public:
  explicit Notice(Asked asked)
      : asked_(std::make_shared<Asked>(std::move(asked))) {}
  ~Notice() {
    if (asked_ == nullptr || !is_taken_) return;
    Post([asked = std::move(asked_)] { asked->over(); });
  }
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

  // The driver has taken the host function.
  void SetTaken() { is_taken_ = true; }
  void Fire() {
    Post([asked = std::exchange(asked_, nullptr)] {
      NoteEnded(asked->points);
      asked->over();
      // The stream is of use again: the device is done with it.
      asked->notices->GiveBack(asked->stream);
    });
  }

 private:
  std::shared_ptr<Asked> asked_;
  // Of the thread that asks.
  bool is_taken_ = false;
};

// The notices of a device.
struct Notices::OfDevice {
  explicit OfDevice(Device*) : notices(new Notices(/*keeps_devices=*/false)) {}

  const std::shared_ptr<Notices> notices;
};

std::shared_ptr<Notices> Notices::Of(Device& device) {
  return device.Attachment<OfDevice>()->notices;
}

void Notices::NoteEnded(const std::vector<WorkPoint>& points) {
  // It may have come since a device failed, and tells nothing then.
  for (const WorkPoint& point : points) {
    if (!point.device()->Health().ok()) return;
  }
  for (const WorkPoint& point : points) {
    point.work().stream->NoteEnded(point.work().number);
  }
}

absl::Status Notices::CallWhenOver(absl::Span<const WorkPoint> points,
                                   std::function<void()> over) {
  std::vector<WorkPoint> left(points.begin(), points.end());
  std::erase_if(left, [](const WorkPoint& point) {
    return point.work().stream == nullptr;
  });
  if (left.empty()) {
    Post(std::move(over));
    return absl::OkStatus();
  }
  // Devices of several kinds cannot wait for each other: the last one tells.
  const auto num_left = std::make_shared<std::atomic<int>>(1);
  const std::function<void()> one_over = [num_left, over = std::move(over)] {
    if (--*num_left == 0) over();
  };
  while (!left.empty()) {
    const std::shared_ptr<Device> device = left.front().device();
    const auto others = std::stable_partition(
        left.begin(), left.end(), [&](const WorkPoint& point) {
          return &point.device()->group() == &device->group();
        });
    const auto num_own = static_cast<std::size_t>(others - left.begin());
    ++*num_left;
    SYNCLINE_RETURN_IF_ERROR(CallForGroup(
        absl::MakeConstSpan(left.data(), num_own), device, one_over));
    left.erase(left.begin(), others);
  }
  // All are on their way, or over.
  Post(one_over);
  return absl::OkStatus();
}

absl::Status Notices::CallForGroup(absl::Span<const WorkPoint> points,
                                   const std::shared_ptr<Device>& device,
                                   std::function<void()> over) {
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, TakeStream(device));
  const auto notice =
      std::make_shared<Notice>(Asked{.points = {points.begin(), points.end()},
                                     .notices = shared_from_this(),
                                     .stream = stream,
                                     .over = std::move(over)});
  // A stream that may still wait for work is not used again.
  for (const WorkPoint& point : points) {
    SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(point));
  }
  SYNCLINE_RETURN_IF_ERROR(stream.CallHost([notice] { notice->Fire(); }));
  notice->SetTaken();
  return absl::OkStatus();
}

absl::StatusOr<Stream> Notices::TakeStream(
    const std::shared_ptr<Device>& device) {
  {
    MutexLock lock(&mutex_);
    const auto found = std::find_if(
        idle_.begin(), idle_.end(),
        [&](const Stream& stream) { return stream.device() == device; });
    if (found != idle_.end()) {
      Stream stream = std::move(*found);
      idle_.erase(found);
      return stream;
    }
  }
  // Not held up by the device's default stream.
  return Stream::Make(
      keeps_devices_
          ? device
          : std::shared_ptr<Device>(std::shared_ptr<void>(), device.get()),
      {.flags = 1}, "notices");
}

void Notices::GiveBack(Stream stream) {
  // One of a device that failed is of no use.
  if (!stream.device()->Health().ok()) return;
  MutexLock lock(&mutex_);
  idle_.push_back(std::move(stream));
}

std::size_t Notices::num_idle_streams() const {
  MutexLock lock(&mutex_);
  return idle_.size();
}

}  // namespace syncline::gpu
