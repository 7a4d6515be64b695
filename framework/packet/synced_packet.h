// SyncedPacket: a place that holds one packet, which any thread may replace.
//
// With it an application changes a side packet of a running graph. The value of
// the side packet is a SyncedPacket, made by AdoptAsSyncedPacket, and the
// calculator asks it for the current packet each time.
//
//   Packet side_packet = AdoptAsSyncedPacket(new Settings(...));
//   GetFromUniquePtr<SyncedPacket>(side_packet)->UpdatePacket(...);
//
// Thread rule: every function may run on any thread.
// Tested by synced_packet_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_SYNCED_PACKET_H_
#define SYNCLINE_FRAMEWORK_PACKET_SYNCED_PACKET_H_

#include <memory>

#include "framework/packet/packet.h"

namespace syncline {

class SyncedPacket {
 public:
  explicit SyncedPacket(Packet packet);
  ~SyncedPacket();
  SyncedPacket(const SyncedPacket&) = delete;
  SyncedPacket& operator=(const SyncedPacket&) = delete;

  void UpdatePacket(Packet packet);
  Packet Get() const;

 private:
  struct State;  // out of line: every calculator includes this header

  const std::unique_ptr<State> state_;
};

// A packet of std::unique_ptr<SyncedPacket> that holds Adopt(ptr).
template <typename T>
Packet AdoptAsSyncedPacket(const T* ptr) {
  return AdoptAsUniquePtr(new SyncedPacket(Adopt(ptr)));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_SYNCED_PACKET_H_
