#include "framework/policy/sync_set.h"

#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

SyncSet::SyncSet(absl::Span<InputQueue> queues, std::vector<int> ports,
                 bool process_timestamp_bounds)
    : queues_(queues),
      ports_(std::move(ports)),
      process_timestamp_bounds_(process_timestamp_bounds),
      states_(ports_.size()) {
  Rescan();
}

void SyncSet::Rescan() {
  earliest_ = Timestamp::Done();
  with_ = without_ = 0;
  ++scans_;
  const int size = static_cast<int>(ports_.size());
  for (int slot = 0; slot < size; ++slot) {
    const State state = states_[slot] = Look(slot);
    if (state.value < earliest_) {
      earliest_ = state.value;
      with_ = without_ = 0;
    }
    if (state.value == earliest_) ++(state.has_packet ? with_ : without_);
  }
}

Readiness SyncSet::EvaluateWaiting() const {
  if (Finished()) return {Readiness::State::kClose, earliest_};
  if (process_timestamp_bounds_) {
    const Timestamp settled = earliest_.PreviousAllowedInStream();
    if (settled > last_taken_) return {Readiness::State::kProcess, settled};
  }
  return {Readiness::State::kWait, earliest_};
}

void SyncSet::Take(Timestamp timestamp, InputStreamSet* inputs) {
  for (const int port : ports_) {
    InputQueue& queue = queues_[port];
    Packet packet = queue.TakeAt(timestamp);
    inputs->Get(CollectionItemId(port)).Fill(std::move(packet), queue.Done());
  }
  last_taken_ = timestamp;
  Rescan();
}

std::vector<int> AllPorts(absl::Span<InputQueue> queues) {
  std::vector<int> ports(queues.size());
  std::iota(ports.begin(), ports.end(), 0);
  return ports;
}

}  // namespace syncline
