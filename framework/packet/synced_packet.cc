#include "framework/packet/synced_packet.h"

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"

namespace syncline {

struct SyncedPacket::State {
  Mutex mutex;
  Packet packet ABSL_GUARDED_BY(mutex);
};

SyncedPacket::SyncedPacket(Packet packet) : state_(std::make_unique<State>()) {
  UpdatePacket(std::move(packet));
}

SyncedPacket::~SyncedPacket() = default;

void SyncedPacket::UpdatePacket(Packet packet) {
  // The old packet dies without the lock: its value may run any code.
  MutexLock lock(&state_->mutex);
  state_->packet.swap(packet);
}

Packet SyncedPacket::Get() const {
  MutexLock lock(&state_->mutex);
  return state_->packet;
}

}  // namespace syncline
