#include "framework/policy/sync_set.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

SyncSet::SyncSet(absl::Span<InputQueue> queues, bool process_timestamp_bounds)
    : queues_(queues.data()),
      states_(queues.size()),
      process_timestamp_bounds_(process_timestamp_bounds) {
  Rescan();
}

SyncSet::SyncSet(absl::Span<InputQueue> queues, absl::Span<const int> ports,
                 bool process_timestamp_bounds)
    : queues_(queues.data()),
      states_(ports.size()),
      process_timestamp_bounds_(process_timestamp_bounds) {
  auto copy = std::make_unique<int[]>(ports.size());
  std::copy(ports.begin(), ports.end(), copy.get());
  ports_ = std::move(copy);
  Rescan();
}

void SyncSet::Rescan() {
  BeginScan();
  for (int slot = 0; slot < size(); ++slot) Scan(&states_[slot], Queue(slot));
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
  BeginScan();
  InputStream* const streams = inputs->begin();
  for (int slot = 0; slot < size(); ++slot) {
    const int port = Port(slot);
    InputQueue& queue = queues_[port];
    Packet packet = queue.TakeAt(timestamp);
    streams[port].Fill(std::move(packet), queue.Done());
    Scan(&states_[slot], queue);
  }
  last_taken_ = timestamp;
}

}  // namespace syncline
