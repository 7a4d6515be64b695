#include "framework/recording/event_queue.h"

#include <chrono>
#include <utility>

#include "framework/base/steady_time.h"

namespace syncline {
namespace {

// What an entry takes beside its packet's value.
constexpr std::int64_t kEntryBytes = sizeof(RecordingQueue::Entry);

}  // namespace

RecordingQueue::RecordingQueue(WhenFull when_full, std::int64_t max_bytes)
    : when_full_(when_full), max_bytes_(max_bytes), start_ns_(SteadyNowNs()) {}

bool RecordingQueue::Put(int stream, const Packet& packet) {
  // Asked without the lock: a payload may count its own bytes at length.
  const std::int64_t bytes =
      kEntryBytes +
      (packet.IsEmpty() ? 0 : static_cast<std::int64_t>(packet.PayloadBytes()));
  bool is_first = false;
  bool is_half_full = false;
  {
    MutexLock lock(&mutex_);
    if (IsFull(bytes) && !is_closed_) {
      if (when_full_ == WhenFull::kDrop) {
        // Bounds say nothing that a later packet does not say as well.
        if (!packet.IsEmpty()) NoteGap(stream, SteadyNowNs() - start_ns_);
        return true;
      }
      ++counts_.waits;
      while (IsFull(bytes) && !is_closed_) not_full_.Wait(&mutex_);
    }
    if (is_closed_) return false;
    const std::int64_t half = max_bytes_ / 2;
    is_first = entries_.empty();
    is_half_full = bytes_ < half && bytes_ + bytes >= half;
    entries_.push_back(
        {++last_seq_, stream, SteadyNowNs() - start_ns_, packet, 0});
    bytes_ += bytes;
    if (!packet.IsEmpty()) ++counts_.packets;
  }
  if (is_first) not_empty_.Signal();
  if (is_half_full) half_full_.Signal();
  return true;
}

void RecordingQueue::NoteGap(int stream, std::int64_t now_ns) {
  ++counts_.dropped;
  // Those in a row are one gap.
  if (!entries_.empty() && entries_.back().missing > 0 &&
      entries_.back().stream == stream) {
    ++entries_.back().missing;
    return;
  }
  entries_.push_back({++last_seq_, stream, now_ns, Packet(), 1});
}

bool RecordingQueue::Take(absl::Duration gather, std::vector<Entry>* entries) {
  entries->clear();
  {
    MutexLock lock(&mutex_);
    while (entries_.empty() && !is_closed_) not_empty_.Wait(&mutex_);
    const auto deadline =
        std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(gather);
    while (!is_closed_ && bytes_ < max_bytes_ / 2) {
      if (half_full_.WaitUntil(&mutex_, deadline)) break;
    }
    std::swap(*entries, entries_);
    bytes_ = 0;
    if (entries->empty()) return false;
  }
  not_full_.SignalAll();
  return true;
}

void RecordingQueue::Close() {
  {
    MutexLock lock(&mutex_);
    is_closed_ = true;
  }
  not_empty_.SignalAll();
  half_full_.SignalAll();
  not_full_.SignalAll();
}

RecordingQueue::Counts RecordingQueue::counts() const {
  MutexLock lock(&mutex_);
  return counts_;
}

}  // namespace syncline
