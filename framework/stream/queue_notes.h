// QueueNotes: data about each packet of a queue, such as when it came. The
// notes lie beside the queue, and only the few inputs that need them have any,
// so that packets and queues stay small.
//
//   queue   added 7, waiting   [4] [5] [6]
//   notes                  [3] [4] [5] [6]     3 is the last that left
//
// Packets are numbered in the order in which they are added, and leave at the
// front, whoever takes or drops them. So a note finds its packet by its number.
//
// Thread rule: one thread at a time; a node's lock guards them.
// Tested by queue_notes_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_QUEUE_NOTES_H_
#define SYNCLINE_FRAMEWORK_STREAM_QUEUE_NOTES_H_

#include <cstdint>
#include <deque>

#include "framework/stream/input_queue.h"

namespace syncline {

template <typename T>
class QueueNotes {
 public:
  // All packets that were added since the last call of this get `note`.
  void NoteAdded(const InputQueue& queue, const T& note) {
    while (Next() < queue.added()) notes_.push_back(note);
    // The note of the packet that left last is kept.
    while (first_ < Gone(queue) - 1) {
      notes_.pop_front();
      ++first_;
    }
  }

  // The note of the packet that waits longest. REQUIRES: a packet waits, and
  // NoteAdded was called after the last change that added a packet.
  const T& OfFront(const InputQueue& queue) const {
    return notes_[Gone(queue) - first_];
  }
  // The note of the packet that left last. REQUIRES: a packet has left, and
  // NoteAdded was called after the last change that added a packet.
  const T& OfLastGone(const InputQueue& queue) const {
    return notes_[Gone(queue) - 1 - first_];
  }

 private:
  static std::int64_t Gone(const InputQueue& queue) {
    return queue.added() - queue.size();
  }
  std::int64_t Next() const {
    return first_ + static_cast<std::int64_t>(notes_.size());
  }

  std::int64_t first_ = 0;  // the number of the first that has a note
  std::deque<T> notes_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_QUEUE_NOTES_H_
