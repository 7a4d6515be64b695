#include "gpu/notices.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {
namespace {

// The notice thread, which begins with the first function.
class NoticeThread {
 public:
  static NoticeThread& Get() {
    static NoDestructor<NoticeThread> thread;
    return *thread;
  }

  void Post(std::function<void()> function) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    functions_.push_back(std::move(function));
    ++num_posted_;
    changed_.SignalAll();
    if (std::exchange(has_begun_, true)) return;
    // It ends with the process.
    std::thread([this] { Run(); }).detach();
  }

  void WaitForPosted() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    const std::int64_t posted = num_posted_;
    while (num_done_ < posted) changed_.Wait(&mutex_);
  }

 private:
  [[noreturn]] void Run() ABSL_LOCKS_EXCLUDED(mutex_) {
    for (;;) {
      std::function<void()> function = Next();
      function();
      function = nullptr;  // what it holds may be the last of a device
      MutexLock lock(&mutex_);
      ++num_done_;
      changed_.SignalAll();
    }
  }

  std::function<void()> Next() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (functions_.empty()) changed_.Wait(&mutex_);
    std::function<void()> function = std::move(functions_.front());
    functions_.pop_front();
    return function;
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> functions_ ABSL_GUARDED_BY(mutex_);
  std::int64_t num_posted_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t num_done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_begun_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

// Fires once: when it is told to, or when it is destroyed since work before it
// has failed.
class Notices::Notice {
 public:
  explicit Notice(std::function<void()> function)
      : function_(std::move(function)) {}
  ~Notice() { Fire(); }
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

  void Fire() {
    if (has_fired_.exchange(true)) return;
    Post(std::move(function_));
  }

 private:
  std::function<void()> function_;
  std::atomic<bool> has_fired_{false};
};

void Notices::NoteEnded(const std::vector<WorkPoint>& points) {
  // It may have come since a device failed, and tells nothing then.
  for (const WorkPoint& point : points) {
    if (!point.device()->Health().ok()) return;
  }
  for (const WorkPoint& point : points) {
    point.work().stream->NoteEnded(point.work().number);
  }
}

void Notices::Post(std::function<void()> function) {
  if (NoticeCollector::Take(&function)) return;
  NoticeThread::Get().Post(std::move(function));
}

void Notices::WaitForPosted() { NoticeThread::Get().WaitForPosted(); }

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
  // The stream is of use again when the device is done with it.
  const auto notice = std::make_shared<Notice>(
      [notices = shared_from_this(), stream, over = std::move(over),
       ended = std::vector<WorkPoint>(points.begin(), points.end())] {
        NoteEnded(ended);
        over();
        notices->GiveBack(stream);
      });
  for (const WorkPoint& point : points) {
    SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(point));
  }
  return stream.CallHost([notice] { notice->Fire(); });
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
  return Stream::Make(device, {.flags = 1}, "notices");
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

// --- NoticeCollector

NoticeCollector*& NoticeCollector::Innermost() {
  constinit thread_local NoticeCollector* innermost = nullptr;
  return innermost;
}

NoticeCollector::NoticeCollector() : outer_(std::exchange(Innermost(), this)) {}

NoticeCollector::~NoticeCollector() {
  Innermost() = outer_;
  for (std::function<void()>& function : functions_) {
    NoticeThread::Get().Post(std::move(function));
  }
}

bool NoticeCollector::Take(std::function<void()>* function) {
  NoticeCollector* const collector = Innermost();
  if (collector == nullptr) return false;
  collector->functions_.push_back(std::move(*function));
  return true;
}

void NoticeCollector::CallNext() {
  const std::function<void()> next = std::move(functions_.front());
  functions_.pop_front();
  next();
}

}  // namespace syncline::gpu
