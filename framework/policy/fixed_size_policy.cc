#include "framework/policy/fixed_size_policy.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/sync_set.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class FixedSizePolicy final : public InputPolicy {
 public:
  FixedSizePolicy(const PolicyPorts& ports,
                  const FixedSizeInputStreamHandlerOptions& options)
      : queues_(ports.queues),
        size_(static_cast<int>(ports.queues.size())),
        target_(std::max(1, options.target_queue_size())),
        trigger_(
            std::max<std::int64_t>(options.trigger_queue_size(), target_ + 1)),
        waits_for_all_(options.fixed_min_size()),
        all_(ports.queues, ports.process_timestamp_bounds),
        is_long_(size_) {
    for (int port = 0; port < size_; ++port) Measure(port);
  }

  void OnChange(int port) override {
    all_.OnChange(port);
    Measure(port);
    const bool must_drop =
        waits_for_all_ ? num_long_ == size_ : bool{is_long_[port]};
    if (must_drop) {
      DropOnAll();
    } else if (DropsFrom(port, keep_from_)) {
      Drop(port, is_announced_ ? EndOfDropping() : keep_from_);
    }
  }

  Readiness Evaluate() const override {
    const Readiness readiness = all_.Evaluate();
    if (readiness.state != Readiness::State::kProcess) return readiness;
    if (is_announced_) return {Readiness::State::kWait, readiness.timestamp};
    is_announced_ = true;
    return readiness;
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    is_announced_ = true;
    DropOnAll();
    const Readiness readiness = all_.Evaluate();
    if (readiness.state == Readiness::State::kProcess) {
      timestamp = readiness.timestamp;
    }
    all_.Take(timestamp, inputs);
    is_announced_ = false;
    for (int port = 0; port < size_; ++port) Measure(port);
    DropOnAll();
    return timestamp;
  }

  bool SeesEveryPacket() const override { return true; }
  bool DropsPackets() const override { return true; }
  bool TakesLate() const override { return true; }

 private:
  bool DropsFrom(int port, Timestamp end) const {
    return !queues_[port].empty() && queues_[port].front().Timestamp() < end;
  }

  // Whether the queue is long enough for dropping to start.
  void Measure(int port) {
    const bool is_long = queues_[port].size() >= trigger_;
    if (is_long == is_long_[port]) return;
    is_long_[port] = is_long;
    num_long_ += is_long ? 1 : -1;
  }

  // A long queue keeps its newest packets, from this time on.
  Timestamp Keeps(int port) const {
    const InputQueue& queue = queues_[port];
    return queue.at(queue.size() - target_ - 1)
        .Timestamp()
        .NextAllowedInStream();
  }

  void UpdateKeepFrom() {
    if (waits_for_all_) {
      if (num_long_ < size_) return;
      Timestamp lowest = Timestamp::Done();
      for (int port = 0; port < size_; ++port) {
        lowest = std::min(lowest, Keeps(port));
      }
      keep_from_ = std::max(keep_from_, lowest);
      return;
    }
    if (num_long_ == 0) return;
    for (int port = 0; port < size_; ++port) {
      if (is_long_[port]) keep_from_ = std::max(keep_from_, Keeps(port));
    }
  }

  void DropOnAll() {
    UpdateKeepFrom();
    const Timestamp end = is_announced_ ? EndOfDropping() : keep_from_;
    for (int port = 0; port < size_; ++port) {
      if (DropsFrom(port, end)) Drop(port, end);
    }
  }

  void Drop(int port, Timestamp end) {
    queues_[port].DropBefore(end);
    all_.OnChange(port);
    Measure(port);
  }

  // keep_from_, but not past the newest input set that is complete: the newest
  // packet that is settled on all streams.
  Timestamp EndOfDropping() const {
    Timestamp bound = Timestamp::Done();
    for (const InputQueue& queue : queues_) {
      bound = std::min(bound, queue.bound());
    }
    Timestamp newest = Timestamp::Unset();
    for (const InputQueue& queue : queues_) {
      newest = std::max(newest, NewestBefore(bound, queue));
    }
    return std::min(newest, keep_from_);
  }

  // Unset() if there is none.
  static Timestamp NewestBefore(Timestamp bound, const InputQueue& queue) {
    std::int64_t begin = 0;
    std::int64_t end = queue.size();
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if (queue.at(middle).Timestamp() < bound) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin == 0 ? Timestamp::Unset() : queue.at(begin - 1).Timestamp();
  }

  const absl::Span<InputQueue> queues_;
  const int size_;
  const std::int64_t target_;
  // More than the target: otherwise there is nothing to drop.
  const std::int64_t trigger_;
  const bool waits_for_all_;
  SyncSet all_;
  std::vector<bool> is_long_;  // by port
  int num_long_ = 0;
  // Packets before this time are dropped, also those that come late.
  Timestamp keep_from_ = Timestamp::Unset();
  // Evaluate has said kProcess, and says it again only after Take.
  mutable bool is_announced_ = false;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeFixedSizePolicy(const PolicyPorts& ports) {
  return std::make_unique<FixedSizePolicy>(
      ports,
      ports.options->GetExtension(FixedSizeInputStreamHandlerOptions::ext));
}

}  // namespace syncline
