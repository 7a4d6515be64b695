#include "framework/run/poller_queue.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/run/inside_run.h"
#include "framework/run/output_stream_poller.h"
#include "framework/scheduler/waiters.h"
#include "framework/stream/queue_limits.h"
#include "glog/logging.h"

namespace syncline {

namespace {

std::vector<std::int64_t> SizesOf(absl::Span<const Packet> packets) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(packets.size());
  for (const Packet& packet : packets) sizes.push_back(CountedBytes(packet));
  return sizes;
}

}  // namespace

void PollerQueue::SetListener(std::weak_ptr<PollerListener> listener) {
  MutexLock lock(&wait_point_->mutex);
  listener_ = std::move(listener);
}

void PollerQueue::SetWarningSize(int size) {
  MutexLock lock(&wait_point_->mutex);
  next_warning_ = size;
}

std::int64_t PollerQueue::TakeWarning() {
  constexpr int kTenfold = 10;
  const auto size = static_cast<std::int64_t>(packets_.size());
  if (next_warning_ == 0 || size < next_warning_) return 0;
  if (limit_ >= 0 || byte_limit_ >= 0) return 0;
  while (size >= next_warning_) next_warning_ *= kTenfold;
  return size;
}

bool PollerQueue::TakeGrowth() {
  constexpr std::int64_t kLong = QueueMarks::kLong;
  const auto size = static_cast<std::int64_t>(packets_.size());
  if (size < next_growth_) {
    // The queue has become shorter, and may grow to this length again.
    if (size < kLong) next_growth_ = std::min(next_growth_, kLong);
    return false;
  }
  // Few packets may be large, so a short queue is reported whenever its length
  // has doubled.
  next_growth_ = size < kLong ? std::min(2 * size, kLong) : size + size / 4;
  return true;
}

QueueUse PollerQueue::Measure() const {
  QueueUse use;
  std::vector<Packet> packets;
  {
    MutexLock lock(&wait_point_->mutex);
    use.packets = static_cast<std::int64_t>(packets_.size());
    packets.reserve(packets_.size());
    for (const Waiting& waiting : packets_) packets.push_back(waiting.packet);
  }
  for (const Packet& packet : packets) use.bytes += CountedBytes(packet);
  return use;
}

void PollerQueue::StartRun() {
  std::deque<Waiting> old;
  MutexLock lock(&wait_point_->mutex);
  old = TakeAll();
  known_full_ = false;
  has_ended_ = false;
  last_ = Timestamp::Unstarted();
}

void PollerQueue::EndRun() {
  MutexLock lock(&wait_point_->mutex);
  has_ended_ = true;
  listener_.reset();
  wait_point_->Signal();
}

OutputTap::Facts PollerQueue::Deliver(absl::Span<const Packet> packets,
                                      Timestamp bound) {
  std::vector<std::int64_t> sizes;
  if (counts_bytes_.load()) sizes = SizesOf(packets);
  {
    MutexLock lock(&wait_point_->mutex);
    if (!counts_bytes_.load() || sizes.size() == packets.size()) {
      return Append(packets, sizes, bound);
    }
  }
  // A limit in bytes was set just now, so the sizes are needed after all.
  sizes = SizesOf(packets);
  MutexLock lock(&wait_point_->mutex);
  return Append(packets, sizes, bound);
}

OutputTap::Facts PollerQueue::Append(absl::Span<const Packet> packets,
                                     absl::Span<const std::int64_t> sizes,
                                     Timestamp bound) {
  if (is_abandoned_) return {};
  const size_t before = packets_.size();
  for (size_t i = 0; i < packets.size(); ++i) {
    packets_.push_back({.packet = packets[i]});
    if (!sizes.empty()) {
      packets_.back().bytes = sizes[i];
      bytes_ += sizes[i];
    }
    last_ = packets[i].Timestamp();
  }
  if (observes_bounds_ && ObservedTime(bound) > last_) {
    last_ = ObservedTime(bound);
    packets_.push_back({.packet = Packet().At(last_), .bytes = 0});
  }
  if (bound == Timestamp::Done()) has_ended_ = true;
  if (has_ended_ || packets_.size() > before) wait_point_->Signal();
  return {.full_change = TakeFullChange(),
          .has_seen = packets_.size() > before,
          .size_to_warn_of = TakeWarning(),
          .has_grown = TakeGrowth(),
          .status = absl::OkStatus()};
}

void PollerQueue::PopFront() {
  if (packets_.front().bytes != kUnknown) bytes_ -= packets_.front().bytes;
  packets_.pop_front();
  ++first_;
}

std::deque<PollerQueue::Waiting> PollerQueue::TakeAll() {
  first_ += static_cast<std::int64_t>(packets_.size());
  bytes_ = 0;
  return std::exchange(packets_, {});
}

bool PollerQueue::IsFull() const {
  MutexLock lock(&wait_point_->mutex);
  return Full();
}

std::shared_ptr<PollerListener> PollerQueue::Listener() const {
  MutexLock lock(&wait_point_->mutex);
  return listener_.lock();
}

bool PollerQueue::IsInsideRun() const {
  if (!InsideRun::IsAny()) return false;
  const std::shared_ptr<PollerListener> listener = Listener();
  return listener != nullptr && listener->IsCalledFromInside();
}

OutputStreamPoller::Result PollerQueue::Next(absl::Duration timeout,
                                             Packet* packet) {
  // A call from inside of the run would wait for itself.
  if (ABSL_PREDICT_FALSE(IsInsideRun())) timeout = absl::ZeroDuration();
  OutputStreamPoller::Result result = OutputStreamPoller::Result::kTimeout;
  int change = 0;
  Packet next;
  wait_point_->Wait(
      [&] {
        wait_point_->mutex.AssertHeld();
        if (!packets_.empty()) {
          next = std::move(packets_.front().packet);
          PopFront();
          change = TakeFullChange();
          result = OutputStreamPoller::Result::kPacket;
        } else if (has_ended_) {
          result = OutputStreamPoller::Result::kEnd;
        }
        return result != OutputStreamPoller::Result::kTimeout;
      },
      timeout, {.what = WaitReason::For::kPacket, .stream = stream()});
  Tell(change);
  if (result == OutputStreamPoller::Result::kPacket) *packet = std::move(next);
  return result;
}

void PollerQueue::Reset() {
  std::deque<Waiting> old;
  ChangeAndTell([&] {
    wait_point_->mutex.AssertHeld();
    old = TakeAll();
  });
}

void PollerQueue::SetLimit(int limit) {
  if (limit < -1) {
    LOG(WARNING) << "The queue size of an OutputStreamPoller must be at least "
                    "-1, which means no limit; "
                 << limit << " is ignored.";
    return;
  }
  ChangeAndTell([&] {
    wait_point_->mutex.AssertHeld();
    limit_ = limit;
  });
}

void PollerQueue::SetByteLimit(std::int64_t limit) {
  if (limit < -1) {
    LOG(WARNING) << "The limit in bytes of an OutputStreamPoller must be at "
                    "least -1, which means none; "
                 << limit << " is ignored.";
    return;
  }
  if (limit >= 0) CountBytes();
  ChangeAndTell([&] {
    wait_point_->mutex.AssertHeld();
    byte_limit_ = limit;
  });
}

void PollerQueue::CountBytes() {
  std::vector<Packet> uncounted;
  std::int64_t number = 0;  // the number of the first packet
  {
    MutexLock lock(&wait_point_->mutex);
    if (counts_bytes_.load()) return;
    number = first_;
    counts_bytes_.store(true);
    for (const Waiting& waiting : packets_) uncounted.push_back(waiting.packet);
  }
  const std::vector<std::int64_t> sizes = SizesOf(uncounted);
  MutexLock lock(&wait_point_->mutex);
  for (const std::int64_t bytes : sizes) {
    const std::int64_t place = number++ - first_;
    if (place < 0) continue;  // the packet has left the queue meanwhile
    packets_[place].bytes = bytes;
    bytes_ += bytes;
  }
}

int PollerQueue::size() const {
  MutexLock lock(&wait_point_->mutex);
  return static_cast<int>(packets_.size());
}

void PollerQueue::Abandon() {
  absl::optional<std::deque<Waiting>> old;
  ChangeAndTell([&] {
    wait_point_->mutex.AssertHeld();
    is_abandoned_ = true;
    counts_bytes_.store(false);
    byte_limit_ = limit_ = -1;
    // Without memory for it the packets stay as long as the queue.
    CatchExceptions([&] {
      wait_point_->mutex.AssertHeld();
      old = TakeAll();
    }).IgnoreError();
  });
}

int PollerQueue::TakeFullChange() {
  const bool full = Full();
  if (full == known_full_) return 0;
  known_full_ = full;
  return full ? 1 : -1;
}

void PollerQueue::ChangeAndTell(absl::FunctionRef<void()> change_queue) {
  int change = 0;
  {
    MutexLock lock(&wait_point_->mutex);
    change_queue();
    change = TakeFullChange();
  }
  Tell(change);
}

void PollerQueue::Tell(int change) {
  if (change == 0) return;
  const std::shared_ptr<PollerListener> listener = Listener();
  if (listener != nullptr) listener->OnFullChange(stream(), change);
}

bool OutputStreamPoller::Next(Packet* packet) {
  return NextWithin(absl::InfiniteDuration(), packet) == Result::kPacket;
}

OutputStreamPoller::Result OutputStreamPoller::NextWithin(
    absl::Duration timeout, Packet* packet) {
  return queue_->Next(timeout, packet);
}

void OutputStreamPoller::LetGo() {
  // A destructor calls this.
  if (queue_ == nullptr) return;
  CatchExceptions([&] { queue_->Abandon(); }).IgnoreError();
}

void OutputStreamPoller::Reset() { queue_->Reset(); }

void OutputStreamPoller::SetMaxQueueSize(int queue_size) {
  queue_->SetLimit(queue_size);
}

void OutputStreamPoller::SetMaxQueueBytes(std::int64_t bytes) {
  queue_->SetByteLimit(bytes);
}

int OutputStreamPoller::QueueSize() const { return queue_->size(); }

}  // namespace syncline
