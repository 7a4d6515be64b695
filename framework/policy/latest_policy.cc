// LatestInputStreamHandler: each packet of a main stream, with the newest
// packet of every other stream.
//
//   main_tag_index: "MAIN"
//
//   MAIN     10        20        30        | bound 31
//   SIDE         12  17              33    | bound 34
//
//   calls    10: MAIN             SIDE has nothing yet
//            20: MAIN SIDE@17     12 matched nothing: 17 is newer
//            30: MAIN SIDE@17     once more
//
// There is one call for each packet of the main stream, at its time T. The call
// waits until each side stream's bound is past T, so the newest packet at or
// before T is known, whatever arrived first. That packet keeps its own time,
// which says how old it is, and is shown again until there is a newer one, also
// when its stream has ended.
//
// max_age: a packet that is older than this at T is not shown, then or later.
// requires_all: where a side stream has nothing to show, the packet of the main
// stream is dropped and counted, instead of a call with an empty input.
//
// A packet that was never shown counts as one that matched nothing. The node
// closes when the main stream has ended. While it waits, it promises that no
// call comes before the main stream's first packet or bound.
//
// Packets on side streams wait until the main stream has come past them,
// because until then it may need one of them.
//
// Thread rule: as InputPolicy.
// Tested by latest_policy_test and policy_conformance_test.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/policy/match_counts.h"
#include "framework/policy/port_option.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

using Options = LatestInputStreamHandlerOptions;

class LatestPolicy final : public MatchingPolicy {
 public:
  LatestPolicy(const PolicyPorts& ports, const Options& options)
      : MatchingPolicy(ports, options.min_match_share()),
        main_(std::max(0, PortOfOption(ports, options.main_tag_index()))),
        max_age_(options.has_max_age()
                     ? static_cast<std::uint64_t>(options.max_age())
                     : std::numeric_limits<std::uint64_t>::max()),
        requires_all_(options.requires_all()),
        bounds_(size_),
        shown_(size_) {
    for (int port = 0; port < size_; ++port) OnChange(port);
  }

  // What was shown goes when nobody holds a lock, as all packets do.
  ~LatestPolicy() override {
    for (int port = 0; port < size_; ++port) Forget(port);
  }

  void OnChange(int port) override {
    if (port != main_) {
      bounds_.Set(port, queues_[port].bound());
      DropOvertaken(port);
    }
    Advance(/*main_changed=*/port == main_);
  }

  Readiness Evaluate() const override {
    const InputQueue& main = queues_[main_];
    if (main.Finished()) {
      return {Readiness::State::kClose, Timestamp::Done()};
    }
    if (IsSettled()) {
      return {Readiness::State::kProcess, main.front().Timestamp()};
    }
    return WaitOrSettle(main.MinTimestampOrBound(), process_timestamp_bounds_,
                        last_taken_);
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    last_taken_ = timestamp;
    InputQueue& main = queues_[main_];
    const bool is_call = !main.empty() && main.front().Timestamp() == timestamp;
    for (int port = 0; port < size_; ++port) {
      InputQueue& queue = queues_[port];
      Packet packet;
      if (port == main_) {
        if (is_call) packet = TakeFront(port);
      } else if (is_call) {
        packet = NewestOf(port, timestamp);
      }
      if (packet.IsEmpty()) packet = Packet().At(queue.SettledTimestamp());
      inputs->Get(port).Fill(std::move(packet), queue.Done());
    }
    if (is_call) Advance(/*main_changed=*/true);
    return timestamp;
  }

 private:
  // The main stream has a packet, and no other gets one at or before its time.
  bool IsSettled() const {
    const InputQueue& main = queues_[main_];
    return !main.empty() && bounds_.lowest() > main.front().Timestamp();
  }

  // Drops packets of the main stream for which there is no call.
  void Advance(bool main_changed) {
    if (main_changed) DropAllOvertaken();
    if (!requires_all_) return;
    while (IsSettled() && !AllHavePackets(queues_[main_].front().Timestamp())) {
      DropFront(main_);
      DropAllOvertaken();
    }
  }

  void DropAllOvertaken() {
    for (int port = 0; port < size_; ++port) {
      if (port != main_) DropOvertaken(port);
    }
  }

  // Drops packets that are not the newest at any time that the main stream can
  // still have.
  void DropOvertaken(int port) {
    InputQueue& queue = queues_[port];
    if (queues_[main_].Finished()) return DropAll(port);
    const Timestamp earliest = queues_[main_].MinTimestampOrBound();
    while (queue.size() > 1 && queue.at(1).Timestamp() <= earliest) {
      DropFront(port);
    }
  }

  bool IsTooOld(Timestamp packet, Timestamp now) const {
    return static_cast<std::uint64_t>(now.Value()) -
               static_cast<std::uint64_t>(packet.Value()) >
           max_age_;
  }

  // REQUIRES: IsSettled() at `now`, and what is overtaken was dropped.
  bool AllHavePackets(Timestamp now) const {
    for (int port = 0; port < size_; ++port) {
      if (port == main_) continue;
      const InputQueue& queue = queues_[port];
      const bool is_new = !queue.empty() && queue.front().Timestamp() <= now;
      const Packet& newest = is_new ? queue.front() : shown_[port];
      if (newest.IsEmpty() || IsTooOld(newest.Timestamp(), now)) return false;
    }
    return true;
  }

  // The packet to show at `now`, or an empty one.
  Packet NewestOf(int port, Timestamp now) {
    InputQueue& queue = queues_[port];
    if (!queue.empty() && queue.front().Timestamp() <= now) {
      Forget(port);
      if (IsTooOld(queue.front().Timestamp(), now)) {
        DropFront(port);
      } else {
        shown_[port] = TakeFront(port);
      }
    } else if (!shown_[port].IsEmpty() &&
               IsTooOld(shown_[port].Timestamp(), now)) {
      Forget(port);
    }
    return shown_[port];
  }

  void Forget(int port) {
    if (!shown_[port].IsEmpty()) {
      queues_[port].Discard(std::exchange(shown_[port], Packet()));
    }
  }

  Packet TakeFront(int port) {
    NoteMatched(port);
    return queues_[port].TakeFront();
  }

  const int main_;
  const std::uint64_t max_age_;
  const bool requires_all_;

  LowestTime bounds_;  // of side streams, by port; Done() for the main one
  // By port: the packet of a side stream that the last call has seen; empty if
  // it has seen none.
  std::vector<Packet> shown_;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeLatestPolicy(const PolicyPorts& ports) {
  return std::make_unique<LatestPolicy>(
      ports, ports.options->GetExtension(Options::ext));
}

}  // namespace syncline
