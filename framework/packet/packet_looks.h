// Packets that somebody only looks at, such as the page of a run.
//
// Packet::Consume() needs the only reference to a value. Who looks at packets
// has one for a while, too, and must not make a calculator fail by it. So
// looking gives way: where Consume() finds other references, those who keep
// packets to be looked at let go of this one, and the looks that go on are
// waited for. A look that begins later finds the packet kept no more. What
// takes no part in this has the reference of an ordinary reader.
//
//   keeper   keeps a packet for a look        Consume() has LetGo() drop it
//   looker   PacketLook { has references }    Consume() waits for the end
//
// A look that takes longer than a second is not waited for. All of this costs
// nothing unless Consume() finds another reference, in a program that looks.
//
// Thread rule: any thread.
// Tested by packet_looks_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_LOOKS_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_LOOKS_H_

#include <cstdint>

#include "framework/packet/packet.h"

namespace syncline {

// While it lives, its thread may have references to packets that it only looks
// at. They go before it. Readers may be waiting: so it is short, a millisecond
// or so, and does not wait for one of them.
class PacketLook {
 public:
  PacketLook();
  ~PacketLook();
  PacketLook(const PacketLook&) = delete;
  PacketLook& operator=(const PacketLook&) = delete;

 private:
  std::int64_t number_ = 0;
};

// Keeps packets for looks.
class PacketKeeper {
 public:
  virtual ~PacketKeeper() = default;
  // Drops what it keeps of this value. Somebody else has a reference. Takes no
  // lock but a leaf of its own.
  virtual void LetGo(const Packet& packet) = 0;
};

// From the first of these to the second, LetGo() may be called on any thread.
void AddPacketKeeper(PacketKeeper* keeper);
void RemovePacketKeeper(PacketKeeper* keeper);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_LOOKS_H_
