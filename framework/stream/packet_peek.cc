#include "framework/stream/packet_peek.h"

#include <iterator>
#include <utility>

namespace syncline {

void PacketPeek::Keep(int stream, const Packet& packet) {
  // What it takes the place of is destroyed without the lock.
  Packet kept = packet;
  MutexLock lock(&mutex_);
  if (!is_asked_[stream].exchange(false)) return;
  std::swap(kept_[stream], kept);
}

Packet PacketPeek::Look(int stream) {
  if (!is_keeper_.exchange(true)) AddPacketKeeper(this);
  Packet kept;
  MutexLock lock(&mutex_);
  const auto found = kept_.find(stream);
  if (found != kept_.end()) {
    kept = std::move(found->second);
    kept_.erase(found);
  }
  is_asked_[stream].store(true);
  return kept;
}

void PacketPeek::StopLooking(int stream) {
  Packet kept;
  MutexLock lock(&mutex_);
  is_asked_[stream].store(false);
  const auto found = kept_.find(stream);
  if (found == kept_.end()) return;
  kept = std::move(found->second);
  kept_.erase(found);
}

void PacketPeek::LetGo(const Packet& packet) {
  MutexLock lock(&mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end();) {
    // Somebody else has the value, so it is not destroyed here.
    kept = kept->second == packet ? kept_.erase(kept) : std::next(kept);
  }
}

}  // namespace syncline
