#include "framework/packet/packet_buffer.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace syncline {

void PacketBuffer::ClearMany() {
  for (Packet& packet : packets()) {
    if (!packet.IsEmpty()) packet = Packet();
  }
  size_ = 0;
  if (capacity_ > kMaxKept) GiveBack();
}

void PacketBuffer::Grow() {
  if (capacity_ > std::numeric_limits<std::uint32_t>::max() / 4) {
    throw std::bad_alloc();  // ends the call of the calculator with an error
  }
  const std::uint32_t capacity = capacity_ * 4;
  auto more = std::make_unique<Packet[]>(capacity);
  std::move(packets_, packets_ + size_, more.get());
  if (packets_ != &first_) delete[] packets_;
  packets_ = more.release();
  capacity_ = capacity;
}

void PacketBuffer::GiveBack() {
  delete[] packets_;
  packets_ = &first_;
  capacity_ = 1;
}

}  // namespace syncline
