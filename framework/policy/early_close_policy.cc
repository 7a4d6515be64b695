// EarlyCloseInputStreamHandler: as Default, but the first stream that ends is
// the end.
//
//   A        10  20   | closed
//   B        10       | bound 11
//
//   calls    10: A B
//            20 waits for B
//   B gets 20
//            20: A B      A has nothing more: Close
//   B's later packets are dropped
//
// A stream ends when it is closed and its last packet is taken. Packets of
// other streams that are settled by then but not yet processed are dropped, so
// the number of calls may depend on when the end is noticed. So the handler is
// not deterministic. process_timestamp_bounds changes nothing here.
//
// Thread rule: as InputPolicy.
// Tested by early_close_policy_test and policy_conformance_test.

#include <memory>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class EarlyClosePolicy final : public InputPolicy {
 public:
  explicit EarlyClosePolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        all_(ports.queues, /*process_timestamp_bounds=*/false) {
    LookForEnd();
  }

  void OnChange(int port) override {
    some_ended_ = some_ended_ || queues_[port].Done();
    all_.OnChange(port);
  }

  Readiness Evaluate() const override {
    if (some_ended_) return {Readiness::State::kClose, Timestamp::Done()};
    return all_.Evaluate();
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    all_.Take(timestamp, inputs);
    LookForEnd();
    return timestamp;
  }

 private:
  void LookForEnd() {
    for (const InputQueue& queue : queues_) {
      some_ended_ = some_ended_ || queue.Done();
    }
  }

  const absl::Span<InputQueue> queues_;
  InputSetReadiness all_;
  bool some_ended_ = false;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeEarlyClosePolicy(const PolicyPorts& ports) {
  return std::make_unique<EarlyClosePolicy>(ports);
}

}  // namespace syncline
