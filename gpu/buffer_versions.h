// BufferVersions: whether a buffer is still what was sent.
//
// A packet of a buffer is shared by its readers, like any packet. If one of
// them changes the buffer in place, the others see what was not sent to them,
// or not, as it happens: their streams may well be in order. So the writes of a
// buffer are counted, and a handle that is sent notes the count (SentVersion).
//
//   upload sends b (version 1) ──> writer    changes b: version 2
//                              └─> reader    has version 1: an error
//
// Whoever changed it last goes on as he likes: his handle is old by his own
// doing. What he sends on is the new version, be it the packet that came in
// (then other readers of that packet are not told from those after him). A call
// may also send a buffer first and then give the device the work that fills it.
//
// Thread rule: BufferVersions, one thread at a time; a SentVersion, any thread.
// Tested by buffer_versions_test.

#ifndef SYNCLINE_GPU_BUFFER_VERSIONS_H_
#define SYNCLINE_GPU_BUFFER_VERSIONS_H_

#include <atomic>
#include <cstdint>

#include "gpu/work_owner.h"

namespace syncline::gpu {

// Which version of its buffer a handle was sent with; a handle that was not
// sent has none. Packets that share a handle may be sent by several threads.
class SentVersion {
 public:
  SentVersion() = default;
  SentVersion(const SentVersion& other) : SentVersion(other.number()) {}
  SentVersion& operator=(const SentVersion& other) {
    number_.store(other.number(), std::memory_order_relaxed);
    return *this;
  }

 private:
  friend class BufferVersions;
  explicit SentVersion(std::uint64_t number) : number_(number) {}
  std::uint64_t number() const {
    return number_.load(std::memory_order_relaxed);
  }

  // 0: none.
  std::atomic<std::uint64_t> number_ = 0;
};

class BufferVersions {
 public:
  // A write. `work` is a constant.
  void NoteWrite(const WorkOwner& by, const char* work) {
    if (is_sent_ && IsSameCall(by, sent_by_)) return;
    ++number_;
    writer_ = by;
    work_ = work;
  }
  SentVersion NoteSent(const WorkOwner& by) {
    is_sent_ = true;
    sent_by_ = by;
    return SentVersion(number_);
  }

  // Whether somebody else than the node of `reader` has changed the buffer
  // since this version was sent.
  bool IsChangedFor(const WorkOwner& reader, const SentVersion& sent) const {
    return IsOld(sent) && !IsSameNode(reader, writer_);
  }
  // Whether the node of `writer` has, and nobody after it.
  bool IsChangedBy(const WorkOwner& writer, const SentVersion& sent) const {
    return IsOld(sent) && IsSameNode(writer, writer_);
  }
  // Who wrote the present version, and by which work.
  const WorkOwner& writer() const { return writer_; }
  const char* work() const { return work_; }

 private:
  bool IsOld(const SentVersion& sent) const {
    return sent.number() != 0 && sent.number() != number_;
  }
  // In another run the name is another object.
  static bool IsSameNode(const WorkOwner& a, const WorkOwner& b) {
    if (a.node == nullptr || b.node == nullptr) return a.node == b.node;
    return *a.node == *b.node;
  }
  static bool IsSameCall(const WorkOwner& a, const WorkOwner& b) {
    return a.timestamp == b.timestamp && IsSameNode(a, b);
  }

  // Of the first contents, whatever they are.
  std::uint64_t number_ = 1;
  WorkOwner writer_;
  const char* work_ = "";
  bool is_sent_ = false;
  WorkOwner sent_by_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_BUFFER_VERSIONS_H_
