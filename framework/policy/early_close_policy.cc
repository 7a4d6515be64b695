#include "framework/policy/early_close_policy.h"

#include <memory>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_set_readiness.h"
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
