// ImmediateInputStreamHandler: a call for every packet, as soon as it comes.
//
//   A        10          20   | closed
//   B             15          | bound 16
//
//   calls    10: A        nobody waits for B, which shows an empty packet at
//            15: B        the time up to which it is settled
//            20: A
//            Max:         A has ended, B has not: IsDone() of A says so
//   B closes, then Close
//
// Of several packets that wait the earliest goes first, and those with the same
// timestamp go together. So input timestamps rise on each stream, but may
// repeat or fall from one call to the next when there are several streams.
//
// A stream that ends while another is still open gives a call at
// Timestamp::Max() without a packet of it, by which a timestamp offset promises
// nothing (node/node_outputs.h); if all have ended, Close follows at once. With
// process_timestamp_bounds each stream that ends gives such a call, the last
// one too, and each time up to which a stream is newly settled gives a call. A
// stream that was taken at Max() has had its last call.
//
// Thread rule: as InputPolicy.
// Tested by immediate_policy_test and policy_conformance_test.

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class ImmediatePolicy final : public InputPolicy {
 public:
  explicit ImmediatePolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        process_timestamp_bounds_(ports.process_timestamp_bounds),
        size_(static_cast<int>(ports.queues.size())),
        last_taken_(size_, Timestamp::Unstarted()),
        ready_(size_),
        open_(size_) {
    for (int port = 0; port < size_; ++port) Look(port);
  }

  void OnChange(int port) override { Look(port); }

  Readiness Evaluate() const override {
    const bool all_ended = open_.lowest() == Timestamp::Done();
    // That streams ended is worth a call only while something goes on.
    if (ready_.lowest() < Timestamp::Done() &&
        (!all_ended || process_timestamp_bounds_)) {
      return {Readiness::State::kProcess, ready_.lowest()};
    }
    if (all_ended) return {Readiness::State::kClose, Timestamp::Done()};
    return {Readiness::State::kWait, open_.lowest()};
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    for (int port = 0; port < size_; ++port) {
      InputQueue& queue = queues_[port];
      if (ready_.Get(port) != timestamp) {
        ShowSettled(queue, &inputs->Get(port));
        continue;
      }
      Packet packet = queue.TakeAt(timestamp);
      inputs->Get(port).Fill(std::move(packet), queue.Done());
      last_taken_[port] = timestamp;
      Look(port);
    }
    return timestamp;
  }

  bool RepeatsTimestamps() const override { return size_ > 1; }
  bool HasOneOrder() const override { return size_ <= 1; }

 private:
  void Look(int port) {
    const InputQueue& queue = queues_[port];
    ready_.Set(port, ReadyTime(port));
    open_.Set(port, queue.Finished() ? Timestamp::Done()
                                     : queue.MinTimestampOrBound());
  }

  // Done() if it is not ready.
  Timestamp ReadyTime(int port) const {
    const InputQueue& queue = queues_[port];
    if (!queue.empty()) return queue.front().Timestamp();
    if (!process_timestamp_bounds_ && !queue.Finished()) {
      return Timestamp::Done();
    }
    // Max() for a stream that has ended.
    const Timestamp settled = queue.SettledTimestamp();
    return settled > last_taken_[port] ? settled : Timestamp::Done();
  }

  const absl::Span<InputQueue> queues_;
  const bool process_timestamp_bounds_;
  const int size_;
  std::vector<Timestamp> last_taken_;  // by port
  // By port: the time at which a stream is ready, and the time from which it
  // may still have something. Done() if it is not ready, or has nothing.
  LowestTime ready_;
  LowestTime open_;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeImmediatePolicy(const PolicyPorts& ports) {
  return std::make_unique<ImmediatePolicy>(ports);
}

}  // namespace syncline
