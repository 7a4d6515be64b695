// ApproximateTimeInputStreamHandler: sets of packets that lie close together,
// one of each stream, for streams that never have the same timestamp.
//
//   camera   0       33       66       100        133
//   lidar       12                         101  |
//
//   sets     0 12    then 100 101: 33 and 66 matched nothing
//
// THE RULE. It is that of the ApproximateTime policy of ROS's message_filters,
// and says what the sets are, whatever the order of arrival:
//
//   1. Each set has one packet of each stream. A packet is in one set at most.
//   2. Sets do not cross: of two sets one is earlier, in every stream.
//   3. The sets are made one after the other. The packets behind the sets so
//      far compete for the next one; the first of them in each stream is its
//      head. A head that is too far before the latest head, so that no set can
//      contain it, is dropped first.
//   4. The latest head is the pivot. The next set contains it. If several heads
//      are at that time, it does not matter which one is the pivot.
//   5. Of all sets with the pivot and with packets behind the sets so far, the
//      one with the smallest interval from its earliest to its latest packet is
//      made. If there are several, it is the one that is earliest in each
//      stream.
//   6. What lies before a packet of the set in its stream matched nothing.
//
// A walk finds the set of rule 5: start from the heads; replace the earliest
// member by the packet behind it, until the earliest is the pivot; remember the
// best. It visits, for each time at which a set can begin, the set that ends
// earliest.
//
// LIMITS. `tolerance` is how far a member may be from the pivot, for all
// streams or for each; `max_interval` how far the earliest and the latest may
// be apart. The heads of rule 4 are within both limits, and so is any closer
// set.
//
// WHEN. A set is made as soon as the bounds show that no packet to come can
// give a closer one. The best packet that a stream can still send lies at its
// bound, or at the pivot if the pivot is later. Intervals up to `close_enough`
// count as equal in rule 5: the walk ends at the first of them, and does not
// wait.
//
// THE TIME of a set is that of its latest packet, or of the packet of
// `timestamp_base_tag_index`; either rises from set to set. Packets keep their
// own times. While the node waits, it promises that no set comes before the
// latest head or bound of any stream, or before that of the base.
//
// THE END. When a stream has ended and has no packet left, no set can come: the
// node closes. PreStream counts as the time just before Min, PostStream as that
// just after Max.
//
// Thread rule: as InputPolicy.
// Tested by approximate_time_policy_test and policy_conformance_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/config/approximate_time_input_stream_handler.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/policy/match_counts.h"
#include "framework/policy/port_option.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

using ApproximateOptions = ApproximateTimeInputStreamHandlerOptions;

// Unsigned: the distance of two times may be larger than the largest time.
using Distance = std::uint64_t;
constexpr Distance kAnyDistance = std::numeric_limits<Distance>::max();

// REQUIRES: later >= earlier.
Distance Between(Timestamp earlier, Timestamp later) {
  return static_cast<Distance>(later.Value()) -
         static_cast<Distance>(earlier.Value());
}

// The last time that is no further than `distance` after `time`.
Timestamp After(Timestamp time, Distance distance) {
  if (distance >= Between(time, Timestamp::Done())) return Timestamp::Done();
  return Timestamp::CreateNoErrorChecking(static_cast<std::int64_t>(
      static_cast<Distance>(time.Value()) + distance));
}

// How far a packet of each port may be from the pivot.
std::vector<Distance> Tolerances(const PolicyPorts& ports,
                                 const ApproximateOptions& options) {
  std::vector<Distance> tolerances(
      ports.queues.size(), options.has_tolerance()
                               ? static_cast<Distance>(options.tolerance())
                               : kAnyDistance);
  for (const ApproximateOptions::Stream& stream : options.stream()) {
    const int port = PortOfOption(ports, stream.tag_index());
    if (port < 0 || !stream.has_tolerance()) continue;
    tolerances[port] = static_cast<Distance>(stream.tolerance());
  }
  if (options.has_max_interval()) {
    for (Distance& tolerance : tolerances) {
      tolerance =
          std::min(tolerance, static_cast<Distance>(options.max_interval()));
    }
  }
  return tolerances;
}

class ApproximateTimePolicy final : public MatchingPolicy {
 public:
  ApproximateTimePolicy(const PolicyPorts& ports,
                        const ApproximateOptions& options)
      : MatchingPolicy(ports, options.min_match_share()),
        base_(options.has_timestamp_base_tag_index()
                  ? PortOfOption(ports, options.timestamp_base_tag_index())
                  : -1),
        close_enough_(static_cast<Distance>(options.close_enough())),
        limits_(Tolerances(ports, options)),
        expiries_(size_),
        walk_(size_) {
    CollectAnew();
  }

  void OnChange(int port) override {
    switch (state_) {
      case State::kCollecting:
        Look(port);
        Collect();
        return;
      case State::kSearching:
        if (std::find(walk_.awaited.begin(), walk_.awaited.end(), port) !=
            walk_.awaited.end()) {
          Search();
        }
        return;
      case State::kDecided:
        return;
      case State::kEnded:
        DropAll(port);
    }
  }

  Readiness Evaluate() const override {
    if (state_ == State::kDecided) {
      return {Readiness::State::kProcess, timestamp_};
    }
    if (state_ == State::kEnded) {
      return {Readiness::State::kClose, Timestamp::Done()};
    }
    return WaitOrSettle(EarliestSet(), process_timestamp_bounds_, last_taken_);
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    last_taken_ = timestamp;
    if (state_ != State::kDecided) {
      // For a bound.
      for (int port = 0; port < size_; ++port) {
        ShowSettled(queues_[port], &inputs->Get(port));
      }
      return timestamp;
    }
    for (int port = 0; port < size_; ++port) {
      for (; walk_.places[port] > 0; --walk_.places[port]) DropFront(port);
      NoteMatched(port);
      TakeFront(&queues_[port], &inputs->Get(port));
    }
    CollectAnew();
    return timestamp;
  }

 private:
  //   kCollecting --> kSearching     each stream has a head, within the limits
  //   kSearching --> kDecided        nothing can be closer
  //   kDecided --> kCollecting       the set is taken
  //   kCollecting --> kEnded         a stream has ended
  enum class State : std::uint8_t { kCollecting, kSearching, kDecided, kEnded };

  // From the heads, one packet of one stream after another.
  struct Walk {
    explicit Walk(int size) : members(size), places(size) {}

    Timestamp pivot;
    // The set that the walk has come to: times by port, the latest of them,
    // and how many packets each is behind the head.
    LowestTime members;
    Timestamp latest;
    std::vector<std::int64_t> places;
    // The ports of which the walk has replaced the member, and how many it took
    // to come to the best set.
    std::vector<int> steps;
    std::size_t best_steps = 0;
    Distance best_interval = 0;
    // Ports whose next packet, or bound, decides.
    std::vector<int> awaited;
  };

  // --- The heads

  void CollectAnew() {
    state_ = State::kCollecting;
    num_missing_ = 0;
    has_ended_ = false;
    for (int port = 0; port < size_; ++port) {
      expiries_.Set(port, Timestamp::Done());
      has_head_[port] = false;
      ++num_missing_;
      Look(port);
    }
    Collect();
  }

  // At what is first at `port` now.
  void Look(int port) {
    const InputQueue& queue = queues_[port];
    if (has_head_[port] == queue.empty()) {
      num_missing_ += queue.empty() ? 1 : -1;
      has_head_[port] = !queue.empty();
    }
    has_ended_ = has_ended_ || queue.Finished();
    expiries_.Set(port, queue.empty()
                            ? Timestamp::Done()
                            : After(queue.front().Timestamp(), limits_[port]));
    reach_ = std::max(reach_, queue.MinTimestampOrBound());
  }

  void Collect() {
    // No set is earlier than what any stream has reached.
    while (expiries_.lowest() < reach_) {
      const int port = expiries_.index();
      DropFront(port);
      Look(port);
    }
    if (has_ended_) {
      state_ = State::kEnded;
      for (int port = 0; port < size_; ++port) DropAll(port);
    } else if (num_missing_ == 0) {
      StartSearch();
    }
  }

  // --- The walk

  void StartSearch() {
    state_ = State::kSearching;
    walk_.pivot = reach_;
    walk_.latest = walk_.pivot;
    walk_.steps.clear();
    walk_.best_steps = 0;
    for (int port = 0; port < size_; ++port) {
      walk_.places[port] = 0;
      walk_.members.Set(port, queues_[port].front().Timestamp());
    }
    walk_.best_interval = Between(walk_.members.lowest(), walk_.latest);
    Search();
  }

  // The packet behind the member of `port`, or what it could be at best; unset
  // if there is none, or none that could be in a closer set.
  struct Next {
    Timestamp time;
    bool is_there = false;
  };
  Next NextOf(int port) const {
    const InputQueue& queue = queues_[port];
    const std::int64_t place = walk_.places[port] + 1;
    Next next{.time = queue.bound(), .is_there = place < queue.size()};
    if (next.is_there) next.time = queue.at(place).Timestamp();
    if (next.time > Timestamp::PostStream()) return {};
    if (next.time <= walk_.pivot) {
      if (!next.is_there) next.time = walk_.pivot;
      return next;
    }
    const Distance after_pivot = Between(walk_.pivot, next.time);
    if (after_pivot > limits_[port] || after_pivot >= walk_.best_interval)
      return {};
    return next;
  }

  void Search() {
    while (walk_.best_interval > close_enough_ &&
           walk_.members.lowest() < walk_.pivot) {
      const int port = walk_.members.index();
      const Next next = NextOf(port);
      if (next.time == Timestamp::Unset()) break;
      if (!next.is_there) {
        if (CouldBeCloser()) return;
        break;
      }
      ++walk_.places[port];
      walk_.members.Set(port, next.time);
      walk_.steps.push_back(port);
      walk_.latest = std::max(walk_.latest, next.time);
      const Distance interval = Between(walk_.members.lowest(), walk_.latest);
      if (interval < walk_.best_interval) {
        walk_.best_interval = interval;
        walk_.best_steps = walk_.steps.size();
      }
    }
    Decide();
  }

  // Goes on with the walk as if missing packets came where they would be best.
  // Notes for which it has to wait.
  bool CouldBeCloser() {
    walk_.awaited.clear();
    const std::size_t num_steps = walk_.steps.size();
    std::vector<Timestamp> before;
    Timestamp latest = walk_.latest;
    bool is_closer = false;
    while (!is_closer && walk_.members.lowest() < walk_.pivot) {
      const int port = walk_.members.index();
      const Next next = NextOf(port);
      if (next.time == Timestamp::Unset()) break;
      // A missing packet is at the pivot or later, so it is not replaced.
      if (!next.is_there) walk_.awaited.push_back(port);
      before.push_back(walk_.members.Get(port));
      walk_.steps.push_back(port);
      ++walk_.places[port];
      walk_.members.Set(port, next.time);
      latest = std::max(latest, next.time);
      is_closer = Between(walk_.members.lowest(), latest) < walk_.best_interval;
    }
    while (walk_.steps.size() > num_steps) {
      const int port = walk_.steps.back();
      --walk_.places[port];
      walk_.members.Set(port, before.back());
      walk_.steps.pop_back();
      before.pop_back();
    }
    return is_closer;
  }

  void Decide() {
    state_ = State::kDecided;
    std::fill(walk_.places.begin(), walk_.places.end(), 0);
    for (std::size_t step = 0; step < walk_.best_steps; ++step) {
      ++walk_.places[walk_.steps[step]];
    }
    if (base_ >= 0) {
      timestamp_ = queues_[base_].at(walk_.places[base_]).Timestamp();
      return;
    }
    timestamp_ = walk_.pivot;
    for (int port = 0; port < size_; ++port) {
      timestamp_ = std::max(timestamp_,
                            queues_[port].at(walk_.places[port]).Timestamp());
    }
  }

  // No set that is not decided yet is earlier.
  Timestamp EarliestSet() const {
    return base_ >= 0 ? queues_[base_].MinTimestampOrBound() : reach_;
  }

  const int base_;  // or -1
  const Distance close_enough_;
  const std::vector<Distance> limits_;  // by port, with max_interval

  State state_ = State::kCollecting;
  // By port: the last time at which a pivot may be so that the head is in the
  // set; Done() without a head.
  LowestTime expiries_;
  std::vector<bool> has_head_ = std::vector<bool>(size_);
  int num_missing_ = 0;
  bool has_ended_ = false;
  // The latest head or bound: where each stream has a head, the pivot.
  Timestamp reach_ = Timestamp::PreStream();

  Walk walk_;

  Timestamp timestamp_;  // of the set that is decided
};

}  // namespace

std::unique_ptr<InputPolicy> MakeApproximateTimePolicy(
    const PolicyPorts& ports) {
  return std::make_unique<ApproximateTimePolicy>(
      ports, ports.options->GetExtension(ApproximateOptions::ext));
}

}  // namespace syncline
