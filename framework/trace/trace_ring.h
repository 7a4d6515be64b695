// TraceRing: the last events of one thread.
//
// One thread writes, without a lock and without waiting; when the ring is full,
// it writes over the oldest events. Others read meanwhile. A reader copies
// events, looks then how far the writer has come, and leaves out what may have
// been written over while it copied (the rule of a sequence lock).
//
// The thread may be followed by another one, once it has ended: a ring is a
// lane, as roads have them.
//
// Thread rule: the constructor, Note and next(), the thread of the lane; Read
// and written() any thread; the words also a signal handler. Tested by
// trace_ring_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_RING_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace_event.h"

namespace syncline {

class TraceRing {
 public:
  // How many events Read has found.
  struct Found {
    // As counted from the first event of the ring.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    // Older ones that were asked for, and are written over.
    std::uint64_t num_lost = 0;
  };

  // Room for `capacity` events, rounded up to a power of 2.
  explicit TraceRing(std::size_t capacity);
  // The same for events that are no thread's.
  TraceRing(std::size_t capacity, absl::string_view name);

  void Note(const TraceEvent& event) {
    std::atomic<std::uint64_t>* const to = to_;
    // Whoever sees a word of this event sees how many came before it, too.
    to[0].store(event.tick, std::memory_order_release);
    to[1].store(static_cast<std::uint64_t>(event.timestamp),
                std::memory_order_release);
    to[2].store(event.kind_and_id | std::uint64_t{event.extra} << 32,
                std::memory_order_release);
    to_ = ABSL_PREDICT_TRUE(to + kWords != end_) ? to + kWords : words_.get();
    written_.store(next() + 1, std::memory_order_release);
  }
  // Asks for the memory of the events of the next few calls, which was written
  // a whole ring ago and may be in no near cache any more.
  void Prefetch() const { __builtin_prefetch(to_ + kAhead, /*rw=*/1); }

  // How many events were noted, for the thread of the lane.
  std::uint64_t next() const {
    return written_.load(std::memory_order_relaxed);
  }
  std::size_t capacity() const { return capacity_; }
  // How many events were noted so far.
  std::uint64_t written() const {
    return written_.load(std::memory_order_acquire);
  }
  // Appends to `events` those that are there, from the event `from` on.
  Found Read(std::uint64_t from, std::vector<TraceEvent>* events) const;

  // For signal handlers: the memory of the ring, three words an event.
  const void* memory() const { return words_.get(); }
  // Also for them: the thread that made the ring, which was the first one to
  // note here; its number in the system, 0 for no thread, and its name, filled
  // up with zeros.
  static constexpr std::size_t kNameSize = 16;
  std::int64_t first_tid() const { return first_tid_; }
  const char* first_name() const { return first_name_.data(); }

 private:
  static constexpr std::size_t kWords = 3;
  // In words: four cache lines, the events of some three calls.
  static constexpr std::size_t kAhead = 32;
  static_assert(sizeof(TraceEvent) == kWords * sizeof(std::uint64_t));

  const std::size_t capacity_;
  const std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  std::int64_t first_tid_ = 0;
  std::array<char, kNameSize> first_name_{};
  // Where the next event goes; the writer's.
  std::atomic<std::uint64_t>* to_ = words_.get();
  const std::atomic<std::uint64_t>* const end_ =
      words_.get() + capacity_ * kWords;
  std::atomic<std::uint64_t> written_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_RING_H_
