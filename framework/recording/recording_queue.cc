#include "framework/recording/recording_queue.h"

#include <chrono>
#include <utility>

#include "absl/base/optimization.h"
#include "framework/base/steady_time.h"

namespace syncline {
namespace {

// The bytes that an entry takes besides its packet's value.
constexpr std::int64_t kEntryBytes = sizeof(RecordingQueue::Entry);

}  // namespace

RecordingQueue::RecordingQueue(WhenFull when_full, std::int64_t max_bytes,
                               std::function<void(int stream)> on_first_full)
    : when_full_(when_full),
      max_bytes_(max_bytes),
      on_first_full_(std::move(on_first_full)),
      start_ns_(SteadyNowNs()) {}

bool RecordingQueue::Put(int stream, const Packet& packet,
                         const PacketTimes& times) {
  // Asked without the lock: a payload may count its own bytes at length.
  const std::int64_t bytes =
      kEntryBytes +
      (packet.IsEmpty() ? 0 : static_cast<std::int64_t>(packet.PayloadBytes()));
  Outcome outcome = TryPut(stream, packet, times, bytes, /*waits=*/false);
  if (ABSL_PREDICT_FALSE(outcome == Outcome::kFull)) {
    if (!was_full_.exchange(true) && on_first_full_ != nullptr) {
      on_first_full_(stream);
    }
    outcome = TryPut(stream, packet, times, bytes, /*waits=*/true);
  }
  return outcome == Outcome::kTaken;
}

RecordingQueue::Outcome RecordingQueue::TryPut(int stream, const Packet& packet,
                                               const PacketTimes& times,
                                               std::int64_t bytes, bool waits) {
  Signals signals;
  {
    MutexLock lock(&mutex_);
    if (ABSL_PREDICT_FALSE(IsFull(bytes) && !is_closed_)) {
      if (!waits) return Outcome::kFull;
      if (when_full_ == WhenFull::kDrop) {
        NoteLate(stream, packet);
        return Outcome::kTaken;
      }
      ++counts_.waits;
      while (IsFull(bytes) && !is_closed_) not_full_.Wait(&mutex_);
    }
    if (is_closed_) return Outcome::kClosed;
    signals = Append(stream, packet, times, bytes);
  }
  Send(signals);
  return Outcome::kTaken;
}

void RecordingQueue::NoteLate(int stream, const Packet& packet) {
  Late& late = late_[stream];
  absl::optional<std::size_t>& place = packet.IsEmpty() ? late.bound : late.gap;
  if (!place.has_value()) {
    place = entries_.size();
    entries_.push_back(
        {++last_seq_, stream, SteadyNowNs() - start_ns_, Packet(), 0});
  }
  if (packet.IsEmpty()) {
    entries_[*place].packet = packet;
    return;
  }
  ++entries_[*place].missing;
  ++counts_.dropped;
}

RecordingQueue::Signals RecordingQueue::Append(int stream, const Packet& packet,
                                               const PacketTimes& times,
                                               std::int64_t bytes) {
  const std::int64_t half = max_bytes_ / 2;
  const Signals signals = {entries_.empty(),
                           bytes_ < half && bytes_ + bytes >= half};
  if (ABSL_PREDICT_FALSE(!late_.empty())) late_.erase(stream);
  entries_.push_back(
      {++last_seq_, stream, SteadyNowNs() - start_ns_, packet, 0, times});
  bytes_ += bytes;
  if (!packet.IsEmpty()) ++counts_.packets;
  return signals;
}

void RecordingQueue::Send(Signals signals) {
  if (signals.is_first) not_empty_.Signal();
  if (signals.is_half_full) half_full_.Signal();
}

bool RecordingQueue::Take(absl::Duration gather, std::vector<Entry>* entries) {
  entries->clear();
  {
    MutexLock lock(&mutex_);
    while (entries_.empty() && !is_closed_) not_empty_.Wait(&mutex_);
    const std::int64_t first_ns =
        entries_.empty() ? 0 : entries_.front().arrival_ns;
    const std::chrono::steady_clock::time_point deadline(
        std::chrono::nanoseconds(start_ns_ + first_ns) +
        absl::ToChronoNanoseconds(gather));
    while (!is_closed_ && bytes_ < max_bytes_ / 2) {
      if (half_full_.WaitUntil(&mutex_, deadline)) break;
    }
    std::swap(*entries, entries_);
    late_.clear();
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
