// PacketBuffer: the packets that one call puts into one output stream.
//
// Nearly every call puts one packet or none, so the first has its place in the
// buffer itself; a buffer that has grown keeps its memory for the next call, up
// to a limit. A buffer is emptied after every call, which costs next to nothing
// if the engine has moved the packets out.
//
// Thread rule: as for a vector.
// Tested by packet_buffer_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_BUFFER_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_BUFFER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "framework/packet/packet.h"

namespace syncline {

class PacketBuffer {
 public:
  // Room for more than this is given back when the buffer is emptied.
  static constexpr std::uint32_t kMaxKept = 64;

  PacketBuffer() = default;
  ~PacketBuffer() {
    if (ABSL_PREDICT_FALSE(packets_ != &first_)) GiveBack();
  }
  PacketBuffer(const PacketBuffer&) = delete;
  PacketBuffer& operator=(const PacketBuffer&) = delete;

  bool empty() const { return size_ == 0; }
  absl::Span<Packet> packets() { return {packets_, size_}; }
  absl::Span<const Packet> packets() const { return {packets_, size_}; }

  void Add(Packet&& packet) {
    if (ABSL_PREDICT_FALSE(size_ == capacity_)) Grow();
    packets_[size_++] = std::move(packet);
  }

  // The same. REQUIRES: empty().
  template <typename AnyPacket>
  void AddFirst(AnyPacket&& packet) {
    // What lies there is empty, so that there is nothing to release.
    std::construct_at(packets_, std::forward<AnyPacket>(packet));
    size_ = 1;
  }

  // Clear for one packet, which was moved out.
  void ForgetFirst() { size_ = 0; }

  void Clear() {
    if (ABSL_PREDICT_FALSE(size_ > 1 || capacity_ > kMaxKept)) {
      return ClearMany();
    }
    if (size_ == 1 && !packets_->IsEmpty()) *packets_ = Packet();
    size_ = 0;
  }

 private:
  void ClearMany();
  void Grow();
  void GiveBack();

  Packet first_;
  Packet* packets_ = &first_;  // or an array of `capacity_` that is owned
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_BUFFER_H_
