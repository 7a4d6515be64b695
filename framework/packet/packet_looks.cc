#include "framework/packet/packet_looks.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
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
  // Those that ever began, which are numbered from 1, and those that go on.
  std::int64_t num_begun ABSL_GUARDED_BY(mutex) = 0;
  std::set<std::int64_t> going_on ABSL_GUARDED_BY(mutex);
  std::vector<PacketKeeper*> keepers ABSL_GUARDED_BY(mutex);
};

Looks& AllLooks() {
  static auto* const looks = new Looks;
  return *looks;
}

// Looks of this thread, which would wait for itself.
thread_local int own_looks = 0;

// Drops what is kept of this value, and waits for those who may look at it.
void MakeSole(const Packet& packet) {
  if (own_looks > 0) return;
  Looks& looks = AllLooks();
  const absl::Time deadline = absl::Now() + kLongestLook;
  MutexLock lock(&looks.mutex);
  for (PacketKeeper* const keeper : looks.keepers) keeper->LetGo(packet);
  const std::int64_t last = looks.num_begun;
  while (!looks.going_on.empty() && *looks.going_on.begin() <= last) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return;
    looks.ended.WaitWithTimeout(&looks.mutex, left);
  }
}

}  // namespace

PacketLook::PacketLook() {
  packet_internal::make_sole = &MakeSole;
  ++own_looks;
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  number_ = ++looks.num_begun;
  looks.going_on.insert(number_);
}

PacketLook::~PacketLook() {
  --own_looks;
  Looks& looks = AllLooks();
  MutexLock lock(&looks.mutex);
  looks.going_on.erase(number_);
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
