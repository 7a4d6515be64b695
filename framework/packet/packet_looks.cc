#include "framework/packet/packet_looks.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

// In packet.cc.
namespace packet_internal {
extern std::atomic<void (*)(const Packet& packet)> make_sole;
}  // namespace packet_internal

namespace {

constexpr absl::Duration kLongestLook = absl::Seconds(1);

struct Looks {
  Mutex mutex;
  CondVar ended;
  int num_looks ABSL_GUARDED_BY(mutex) = 0;
  std::vector<PacketKeeper*> keepers ABSL_GUARDED_BY(mutex);
};

Looks& AllLooks() {
  static auto* const looks = new Looks;
  return *looks;
}

// Looks of this thread, which would wait for itself.
thread_local int own_looks = 0;

// Drops what is kept of this value, once nobody looks.
void MakeSole(const Packet& packet) {
  if (own_looks > 0) return;
  Looks& looks = AllLooks();
  const absl::Time deadline = absl::Now() + kLongestLook;
  MutexLock lock(&looks.mutex);
  while (looks.num_looks > 0) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return;
    looks.ended.WaitWithTimeout(&looks.mutex, left);
  }
  for (PacketKeeper* const keeper : looks.keepers) keeper->LetGo(packet);
}

}  // namespace

PacketLook::PacketLook() {
  packet_internal::make_sole = &MakeSole;
  ++own_looks;
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  ++looks.num_looks;
}

PacketLook::~PacketLook() {
  --own_looks;
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  --looks.num_looks;
  looks.ended.SignalAll();
}

void AddPacketKeeper(PacketKeeper* keeper) {
  packet_internal::make_sole = &MakeSole;
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  looks.keepers.push_back(keeper);
}

void RemovePacketKeeper(PacketKeeper* keeper) {
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  looks.keepers.erase(
      std::find(looks.keepers.begin(), looks.keepers.end(), keeper));
}

}  // namespace syncline
