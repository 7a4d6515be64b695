// A growing ring of packets: 16 bytes a slot, no allocation while it fits.
//
// std::deque allocates a block for every 32 packets that pass through it, even
// when it never holds more than one. A queue between two nodes lives at length
// 0 or 1, so the first slot is in the ring itself. Beyond it the capacity
// doubles, and stays: the memory of a queue is that of its longest moment. The
// ring itself is small, so that a queue is one cache line.
//
// Thread rule: one thread at a time.
// Tested by packet_ring_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_PACKET_RING_H_
#define SYNCLINE_FRAMEWORK_STREAM_PACKET_RING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "framework/packet/packet.h"

namespace syncline {

class PacketRing {
 public:
  PacketRing() = default;
  ~PacketRing() {
    if (ABSL_PREDICT_FALSE(slots_ != &first_)) delete[] slots_;
  }
  PacketRing(const PacketRing&) = delete;
  PacketRing& operator=(const PacketRing&) = delete;

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t capacity() const { return size_t{1} << log_capacity_; }

  // REQUIRES: !empty().
  const Packet& front() const { return slots_[head_]; }
  Packet& front() { return slots_[head_]; }
  // The packet `i` places behind the front. REQUIRES: i < size().
  const Packet& at(size_t i) const { return slots_[Slot(i)]; }
  const Packet& back() const { return at(size_ - 1); }

  void push_back(Packet&& packet) {
    if (size_ == 0) return push_first(std::move(packet));
    if (ABSL_PREDICT_FALSE(size_ == capacity())) Grow();
    slots_[Slot(size_)] = std::move(packet);
    ++size_;
  }
  // REQUIRES: empty().
  void push_first(Packet&& packet) {
    slots_[head_] = std::move(packet);
    size_ = 1;
  }

  // Takes the front out; its slot no longer refers to the value.
  // REQUIRES: !empty().
  Packet pop_front() {
    Packet packet = std::move(slots_[head_]);
    // An empty ring may begin anywhere.
    if (--size_ != 0) head_ = static_cast<std::uint32_t>(Slot(1));
    return packet;
  }

  // Drops every packet. The memory stays.
  void clear() {
    while (!empty()) pop_front();
  }

 private:
  static constexpr std::uint8_t kLogOfFirstArray = 2;

  // The slot `i` places behind the front.
  size_t Slot(size_t i) const { return (head_ + i) & (capacity() - 1); }

  ABSL_ATTRIBUTE_NOINLINE void Grow() {
    const auto log_capacity = static_cast<std::uint8_t>(
        std::max<int>(log_capacity_ + 1, kLogOfFirstArray));
    auto slots = std::make_unique<Packet[]>(size_t{1} << log_capacity);
    for (size_t i = 0; i < size_; ++i) slots[i] = std::move(slots_[Slot(i)]);
    if (slots_ != &first_) delete[] slots_;
    slots_ = slots.release();
    log_capacity_ = log_capacity;
    head_ = 0;
  }

  Packet first_;
  Packet* slots_ = &first_;  // or an array that is owned
  std::uint32_t size_ = 0;
  std::uint32_t head_ = 0;
  std::uint8_t log_capacity_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_PACKET_RING_H_
