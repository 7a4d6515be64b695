#include "framework/policy/sync_set.h"

#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

SyncSet::SyncSet(absl::Span<InputQueue> queues, absl::Span<const int> ports,
                 bool process_timestamp_bounds)
    : queues_(queues),
      ports_(ports.begin(), ports.end()),
      states_(ports_.size()),
      process_timestamp_bounds_(process_timestamp_bounds) {
  Rescan();
}

void SyncSet::Rescan() {
  BeginScan();
  State* state = states_.data();
  for (const int port : ports_) Scan(state++, queues_[port]);
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
  State* state = states_.data();
  for (const int port : ports_) {
    InputQueue& queue = queues_[port];
    Packet packet = queue.TakeAt(timestamp);
    streams[port].Fill(std::move(packet), queue.Done());
    Scan(state++, queue);
  }
  last_taken_ = timestamp;
}

std::vector<int> AllPorts(absl::Span<InputQueue> queues) {
  std::vector<int> ports(queues.size());
  std::iota(ports.begin(), ports.end(), 0);
  return ports;
}

}  // namespace syncline
