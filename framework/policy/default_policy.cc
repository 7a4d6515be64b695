#include "framework/policy/default_policy.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

InputSetReadiness::InputSetReadiness(absl::Span<InputQueue> queues,
                                     bool process_timestamp_bounds)
    : queues_(queues.data()),
      states_(queues.size()),
      process_timestamp_bounds_(process_timestamp_bounds) {
  Rescan();
}

InputSetReadiness::InputSetReadiness(absl::Span<InputQueue> queues,
                                     absl::Span<const int> ports,
                                     bool process_timestamp_bounds)
    : queues_(queues.data()),
      states_(ports.size()),
      process_timestamp_bounds_(process_timestamp_bounds) {
  auto copy = std::make_unique<int[]>(ports.size());
  std::copy(ports.begin(), ports.end(), copy.get());
  ports_ = std::move(copy);
  Rescan();
}

void InputSetReadiness::Rescan() {
  Lowest lowest;
  for (int slot = 0; slot < size(); ++slot) {
    Scan(Queue(slot), &states_[slot], &lowest);
  }
  lowest_ = lowest;
  ++scans_;
}

Readiness InputSetReadiness::EvaluateWaiting() const {
  if (Finished()) return {Readiness::State::kClose, lowest_.value};
  return WaitOrSettle(lowest_.value, process_timestamp_bounds_, last_taken_);
}

void InputSetReadiness::Take(Timestamp timestamp, InputStreamSet* inputs) {
  // In local variables, so that they can stay in registers.
  InputStream* const streams = inputs->begin();
  State* const states = states_.data();
  const int num_slots = size();
  Lowest lowest;
  for (int slot = 0; slot < num_slots; ++slot) {
    const int port = Port(slot);
    InputQueue& queue = queues_[port];
    // Nearly always one packet waits, which is that of the input set; then the
    // bound says all that Scan would find.
    if (ABSL_PREDICT_TRUE(queue.HasOnlyAt(timestamp))) {
      const Timestamp bound = queue.bound();
      streams[port].Fill(queue.TakeOnly(), bound == Timestamp::Done());
      states[slot].value = bound;
      states[slot].has_packet = false;
      if (bound < lowest.value) lowest = {bound, 0, 0};
      if (bound == lowest.value) ++lowest.without;
      continue;
    }
    Packet packet = queue.TakeAt(timestamp);
    streams[port].Fill(std::move(packet), queue.Done());
    Scan(queue, &states[slot], &lowest);
  }
  lowest_ = lowest;
  ++scans_;
  last_taken_ = timestamp;
}

DefaultPolicy::DefaultPolicy(const PolicyPorts& ports)
    : all_(ports.queues, ports.process_timestamp_bounds),
      batch_size_(DefaultBatchSize(*ports.options)) {}

int DefaultBatchSize(const SynclineOptions& options) {
  return std::max(
      1,
      options.GetExtension(DefaultInputStreamHandlerOptions::ext).batch_size());
}

std::unique_ptr<InputPolicy> MakeDefaultPolicy(const PolicyPorts& ports) {
  return std::make_unique<DefaultPolicy>(ports);
}

}  // namespace syncline
