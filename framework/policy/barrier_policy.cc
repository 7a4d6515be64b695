// BarrierInputStreamHandler: one packet of each stream, whatever their times.
//
//   A        10  20  30
//   B        7       8
//
//   calls     7: A at 10, B at 7       the first of each
//             8: A at 20, B at 8       the second of each
//   B closes, then Close; A's 30 is dropped
//
// The input timestamp is the lowest of the packets'. Time is ignored on all
// inputs: nothing is ever late, and a stream ends when it is closed. No bound
// ends it, nor does a packet at Max or PreStream, because a later packet may
// have any time.
//
// Thread rule: as InputPolicy.
// Tested by barrier_policy_test and policy_conformance_test.

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class BarrierPolicy final : public InputPolicy {
 public:
  explicit BarrierPolicy(const PolicyPorts& ports)
      : queues_(ports.queues), has_packet_(queues_.size()) {
    LookAtAll();
  }

  void OnChange(int port) override {
    // Another front than the one that was seen: a full queue lost that.
    if (has_packet_[port]) return LookAtAll();
    Look(port);
  }

  Readiness Evaluate() const override {
    if (some_ended_) return {Readiness::State::kClose, Timestamp::Done()};
    if (num_missing_ > 0) {
      // Any time may still come.
      return {Readiness::State::kWait, Timestamp::PreStream()};
    }
    return {Readiness::State::kProcess, input_timestamp_};
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
      TakeFront(&queues_[port], &inputs->Get(port));
    }
    LookAtAll();
    return timestamp;
  }

  bool RepeatsTimestamps() const override { return true; }

 private:
  void LookAtAll() {
    std::fill(has_packet_.begin(), has_packet_.end(), false);
    num_missing_ = static_cast<int>(queues_.size());
    input_timestamp_ = Timestamp::Done();
    some_ended_ = queues_.empty();
    for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
      Look(port);
    }
  }

  void Look(int port) {
    const InputQueue& queue = queues_[port];
    some_ended_ = some_ended_ || queue.Done();
    if (queue.empty() || has_packet_[port]) return;
    has_packet_[port] = true;
    --num_missing_;
    input_timestamp_ = std::min(input_timestamp_, queue.front().Timestamp());
  }

  const absl::Span<InputQueue> queues_;
  std::vector<bool> has_packet_;  // by port
  int num_missing_ = 0;           // ports without one
  Timestamp input_timestamp_;     // the lowest of those that are there
  bool some_ended_ = false;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeBarrierPolicy(const PolicyPorts& ports) {
  return std::make_unique<BarrierPolicy>(ports);
}

}  // namespace syncline
