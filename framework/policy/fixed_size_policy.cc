// FixedSizeInputStreamHandler: queues are short, and a node that is too slow
// skips packets.
//
//   trigger_queue_size: 3  target_queue_size: 1
//
//   A   10  20  30       30 makes three: 10 and 20 go, on all streams
//   B   10  20
//                        A   30
//   then B gets 20 ...   B                 too late: it goes as well
//   then B gets 30       30: A B
//
// Otherwise as DefaultInputStreamHandler. Dropping starts when one queue holds
// trigger_queue_size packets, and keeps its target_queue_size newest packets.
// With fixed_min_size it starts only when every queue holds trigger_queue_size
// packets, so each queue keeps at least target_queue_size. Dropped packets are
// counted.
//
// Packets are taken when the call starts, not when it becomes ready. From the
// time when a task is made of the call until then nothing is dropped, however
// long the queues get. Then the surplus goes, which may push the announced
// input set out of the queues, so that the call gets a later one. But it always
// gets an input set: the newest complete one stays. So it does while conditions
// hold back a call that is announced, and no task is made of it; the queues
// stay short meanwhile.
//
// Thread rule: as InputPolicy.
// Tested by fixed_size_policy_test and policy_conformance_test.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// OnChange finds what it needs of all queues in trees of matches, in a time
// logarithmic in their number. It looks at each packet a few times: when it
// comes, when it is settled and when it goes.
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
        is_stale_(size_),
        fronts_(size_),
        bounds_(size_),
        keeps_(size_),
        unsettled_(size_),
        num_settled_(size_) {
    for (int port = 0; port < size_; ++port) Look(port);
  }

  void OnChange(int port) override {
    NoteChange(port);
    if (!has_task_) DropOld();
  }

  void OnTaskMade() override { has_task_ = true; }

  Readiness Evaluate() const override {
    if (is_announced_) return {Readiness::State::kWait, announced_};
    UpdateAll();
    const Readiness readiness = all_.Evaluate();
    is_announced_ = readiness.state == Readiness::State::kProcess;
    announced_ = readiness.timestamp;
    return readiness;
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    is_announced_ = true;
    DropOld();
    UpdateAll();
    const Readiness readiness = all_.Evaluate();
    if (readiness.state == Readiness::State::kProcess) {
      timestamp = readiness.timestamp;
    }
    all_.Take(timestamp, inputs);
    is_announced_ = false;
    has_task_ = false;
    for (int port = 0; port < size_; ++port) Look(port);
    DropOld();
    return timestamp;
  }

  bool SeesEveryPacket() const override { return true; }
  bool DropsPackets() const override { return true; }
  bool TakesWhenCallStarts() const override { return true; }

 private:
  void NoteChange(int port) {
    if (!is_stale_[port]) {
      is_stale_[port] = true;
      stale_.push_back(port);
    }
    Look(port);
  }

  // The sync set is asked only now and then, and has to look at everything when
  // what was earliest goes: it need not hear of each packet that is dropped.
  void UpdateAll() const {
    for (const int port : stale_) {
      is_stale_[port] = false;
      all_.OnChange(port);
    }
    stale_.clear();
  }

  void Look(int port) {
    const InputQueue& queue = queues_[port];
    fronts_.Set(port,
                queue.empty() ? Timestamp::Done() : queue.front().Timestamp());
    bounds_.Set(port, queue.bound());
    LookForUnsettled(port);
    // Long enough for dropping to start.
    const Timestamp keeps =
        queue.size() >= trigger_ ? Keeps(port) : Timestamp::Unset();
    if (waits_for_all_) keeps_.Set(port, keeps);
    keep_from_ = std::max(keep_from_, waits_for_all_ ? keeps_.lowest() : keeps);
  }

  // A long queue keeps its newest packets, from this time on.
  Timestamp Keeps(int port) const {
    const InputQueue& queue = queues_[port];
    return queue.at(queue.size() - target_ - 1)
        .Timestamp()
        .NextAllowedInStream();
  }

  void LookForUnsettled(int port) {
    const InputQueue& queue = queues_[port];
    const std::int64_t gone = queue.added() - queue.size();
    num_settled_[port] = std::max(num_settled_[port], gone);
    const std::int64_t place = num_settled_[port] - gone;
    unsettled_.Set(port, place == queue.size() ? Timestamp::Done()
                                               : queue.at(place).Timestamp());
  }

  // The lowest bound. OnChange is not told of a bound that rises behind a
  // packet, so `bounds_` may be out of date.
  Timestamp LowestBound() {
    while (bounds_.lowest() < Timestamp::Done() &&
           bounds_.lowest() < queues_[bounds_.index()].bound()) {
      bounds_.Set(bounds_.index(), queues_[bounds_.index()].bound());
    }
    return bounds_.lowest();
  }

  // Finds the newest input set that is complete: the newest packet that is
  // settled on all streams.
  void Settle() {
    const Timestamp bound = LowestBound();
    while (unsettled_.lowest() < bound) {
      newest_settled_ = std::max(newest_settled_, unsettled_.lowest());
      ++num_settled_[unsettled_.index()];
      LookForUnsettled(unsettled_.index());
    }
  }

  // For a call that was announced, the newest complete set stays.
  void DropOld() {
    Settle();
    const Timestamp end =
        is_announced_ ? std::min(newest_settled_, keep_from_) : keep_from_;
    while (fronts_.lowest() < end) {
      const int port = fronts_.index();
      queues_[port].DropBefore(end);
      NoteChange(port);
    }
  }

  const absl::Span<InputQueue> queues_;
  const int size_;
  const std::int64_t target_;
  // More than the target: otherwise there is nothing to drop.
  const std::int64_t trigger_;
  const bool waits_for_all_;

  // The rule for calls, as of the last time it was asked, and the ports that
  // have changed since.
  mutable InputSetReadiness all_;
  mutable std::vector<int> stale_;
  mutable std::vector<bool> is_stale_;  // by port

  // By port, and the lowest of all. Done() where there is no packet.
  LowestTime fronts_;
  LowestTime bounds_;
  // What each queue keeps from; Unset() where it is not long. Only with
  // fixed_min_size.
  LowestTime keeps_;
  // The first packet that is not settled on all streams, and how many were
  // before it since the run began.
  LowestTime unsettled_;
  std::vector<std::int64_t> num_settled_;

  // Packets before this time are dropped, also those that come late.
  Timestamp keep_from_ = Timestamp::Unset();
  Timestamp newest_settled_ = Timestamp::Unset();
  // Evaluate has said kProcess, and says it again only after Take.
  mutable bool is_announced_ = false;
  // A task was made of the announced call.
  bool has_task_ = false;
  mutable Timestamp announced_;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeFixedSizePolicy(const PolicyPorts& ports) {
  return std::make_unique<FixedSizePolicy>(
      ports,
      ports.options->GetExtension(FixedSizeInputStreamHandlerOptions::ext));
}

}  // namespace syncline
