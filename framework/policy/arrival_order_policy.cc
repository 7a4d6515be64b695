// ArrivalOrderInputStreamHandler: one packet a call, in the order of arrival.
//
//   comes    A=10, then B=5, then A=11, while the node is busy
//
//   calls    10: A        ImmediateInputStreamHandler would begin with 5
//             5: B
//            11: A
//   A and B close, then Close
//
// For streams whose times cannot be compared. Each stream keeps its own order.
// Which packet comes first depends on threads, so the order of calls does, too.
//
// With process_timestamp_bounds there is also a call, without packets, at each
// time up to which all streams are newly settled, when no packet waits.
//
// Thread rule: as InputPolicy.
// Tested by arrival_order_policy_test and policy_conformance_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// Fewer entries are not worth looking through.
constexpr std::size_t kFewEntries = 64;

class ArrivalOrderPolicy final : public InputPolicy {
 public:
  explicit ArrivalOrderPolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        process_timestamp_bounds_(ports.process_timestamp_bounds),
        size_(static_cast<int>(ports.queues.size())),
        num_seen_(size_),
        open_(size_) {
    for (int port = 0; port < size_; ++port) OnChange(port);
  }

  void OnChange(int port) override {
    const InputQueue& queue = queues_[port];
    while (num_seen_[port] < queue.added()) {
      order_.push_back({port, num_seen_[port]++});
    }
    Look(port);
    ForgetGone();
  }

  Readiness Evaluate() const override {
    if (!order_.empty()) {
      return {Readiness::State::kProcess,
              queues_[order_.front().port].front().Timestamp()};
    }
    const Timestamp open = open_.lowest();
    if (open == Timestamp::Done()) return {Readiness::State::kClose, open};
    return WaitOrSettle(open, process_timestamp_bounds_, last_settled_);
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    int taken = -1;
    if (order_.empty()) {
      last_settled_ = timestamp;
    } else {
      taken = order_.front().port;
      order_.pop_front();
      TakeFront(&queues_[taken], &inputs->Get(taken));
      Look(taken);
      ForgetGone();
    }
    for (int port = 0; port < size_; ++port) {
      if (port != taken) ShowSettled(queues_[port], &inputs->Get(port));
    }
    return timestamp;
  }

  bool SeesEveryPacket() const override { return true; }
  bool RepeatsTimestamps() const override { return size_ > 1; }
  bool HasOneOrder() const override { return size_ <= 1; }

 private:
  // One packet that came: how many of its stream came before it.
  struct Entry {
    int port;
    std::int64_t number;
  };

  // A full queue may have dropped it.
  bool IsGone(const Entry& entry) const {
    const InputQueue& queue = queues_[entry.port];
    return entry.number < queue.added() - queue.size();
  }

  void ForgetGone() {
    while (!order_.empty() && IsGone(order_.front())) order_.pop_front();
    // Those further back must not become many, either.
    if (order_.size() < size_to_look_at_) return;
    std::erase_if(order_, [this](const Entry& entry) { return IsGone(entry); });
    size_to_look_at_ = std::max(kFewEntries, 2 * order_.size());
  }

  void Look(int port) {
    const InputQueue& queue = queues_[port];
    open_.Set(port, queue.Finished() ? Timestamp::Done()
                                     : queue.MinTimestampOrBound());
  }

  const absl::Span<InputQueue> queues_;
  const bool process_timestamp_bounds_;
  const int size_;
  std::vector<std::int64_t> num_seen_;  // by port
  // The packets that wait. The front is not gone.
  std::deque<Entry> order_;
  std::size_t size_to_look_at_ = kFewEntries;
  // By port: the time from which a stream may still have something; Done() if
  // it has nothing.
  LowestTime open_;
  Timestamp last_settled_ = Timestamp::Unstarted();
};

}  // namespace

std::unique_ptr<InputPolicy> MakeArrivalOrderPolicy(const PolicyPorts& ports) {
  return std::make_unique<ArrivalOrderPolicy>(ports);
}

}  // namespace syncline
