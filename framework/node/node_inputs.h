// NodeInputs: the inputs of one node: their queues, the rule that says when a
// call can start and with which packets, the limits of the queues, and the
// bound that the node has passed on.
//
//   Add           queues what has come, and says if the rule has to be asked
//   Evaluate      says whether a call can start, and at which time
//   Take          takes the packets of that call out of the queues
//   HasMoreAfter  says whether there is anything to do once that call is over
//
// What others have to be told (a queue is full, packets were dropped, ...) goes
// to an Effects. Inputs know no call, no state of the node and no lock.
//
// THE RULE is Evaluate. A node that joins all inputs at one timestamp has the
// rule of policy/default_policy.h. A node with one input has the rule of
// policy/single_input_readiness.h. Any other node has the rule of its policy.
// Two shortcuts give the same results with less work, and most packets take one
// of them: AddFirst, for the first packet in a queue of a join, and Pass, for a
// packet that is an input set by itself. PassSet is for an input set that comes
// as a whole.
//
// Thread rule: guarded by the node's lock.
// Tested by node_inputs_test; node_inputs_shortcuts_test compares the shortcuts
// with the rule in all small cases.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_H_

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/node/input_features.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/single_input_readiness.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// What one call of another node sends to input `port`: packets, which are moved
// out, and the bound of the stream now.
struct Arrival {
  int port;
  absl::Span<Packet> packets;
  Timestamp bound;
};

class NodeInputs {
 public:
  NodeInputs() = default;
  ~NodeInputs();
  NodeInputs(const NodeInputs&) = delete;
  NodeInputs& operator=(const NodeInputs&) = delete;

  // To be called once, before everything else. `plan` is borrowed. Both it and
  // `memory` outlive this object.
  void Place(const PlanNode& plan, const InputPolicyKind& policy,
             absl::Span<const QueueLimit> limits, const QueueMarks& marks,
             std::pmr::memory_resource* memory);

  int size() const { return static_cast<int>(queues_.size()); }
  // The beginning of the part of this object that most packets touch.
  const void* hot() const { return &all_inputs_; }
  const InputQueue& queue(int port) const { return queues_[port]; }
  absl::Span<const InputQueue> queues() const { return queues_; }

  // --- Traits: they do not change after Place

  bool counts_bytes() const { return traits_.counts_bytes; }
  // Some input has a rule of its own for what arrives. Then the node has to ask
  // AddsOneByOne, and to call SettleSilent.
  bool has_arrival_rules() const { return traits_.has_arrival_rules; }
  // See InputPolicy::TakesWhenCallStarts.
  bool takes_when_call_starts() const { return traits_.takes_when_call_starts; }
  // See InputPolicy for these.
  int BatchSize() const;
  bool HasOneOrder() const;
  // Null for most nodes. Belongs to this object.
  TimeoutPolicy* timeout() const;

  // --- Before the run

  // The node asks Evaluate again and again before it starts a call.
  void RememberReadiness();
  // Each time when there is more room at `port`, an Effects says so.
  void WatchRoom(int port);

  // --- What arrives

  // Adds `packets`, which are moved out if `may_move`, and raises the bound of
  // the input to `bound`. `sizes`: the bytes of each packet, or empty. True:
  // what the rule looks at has changed.
  bool Add(int port, absl::Span<Packet> packets, bool may_move, Timestamp bound,
           absl::Span<const std::int64_t> sizes, Effects* effects);

  // Whether each packet has to be added by itself, with AddOne, and the bound
  // after the last packet. The first packet may start a call, and then takes no
  // room in the queue any more.
  bool AddsOneByOne(int port) const { return IsBounded(port) || IsTimed(port); }
  // `packet`, `size` and `times` are of one packet; the last two may be empty.
  void AddOne(int port, absl::Span<Packet> packet, bool may_move,
              absl::Span<const std::int64_t> size,
              absl::Span<const PacketTimes> times, Effects* effects);
  // The stream at `port` has the bound `bound`: settles the streams that are
  // idle after it. True: what the rule looks at has changed.
  bool SettleSilent(int port, Timestamp bound, Effects* effects);
  // Nothing can happen any more in the run: settles the silent streams that
  // have idle_after, up to the earliest packet that waits. True: what the rule
  // looks at has changed.
  bool SettleSilentAtEnd();

  // --- Shortcuts. REQUIRES: !has_arrival_rules() and !counts_bytes().

  // Whether AddFirst can do what Add does, for a packet at `timestamp` at
  // `port`.
  bool CanAddFirst(int port, Timestamp timestamp) const {
    return rule_ == Rule::kAllInputs &&
           queues_.data()[port].CanAddFirst(timestamp);
  }
  // Does what Add does, for one packet, which comes to an empty queue.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void AddFirst(int port, Packet&& packet,
                                             Timestamp bound,
                                             Effects* effects) {
    InputQueue& queue = queues_.data()[port];
    const Timestamp timestamp = packet.Timestamp();
    queue.AddFirst(std::move(packet), timestamp);
    queue.RaiseBound(bound);
    all_inputs_.OnFirstPacket(port, timestamp);
    NoteQueue(port, effects);
  }

  // Whether `arrivals` are an input set and no packet waits. Then PassSet does
  // the work of AddFirst for each of them, Evaluate and Take. REQUIRES:
  // joins_all().
  bool CanPassSet(absl::Span<const Arrival> arrivals) const {
    if (arrivals.size() != queues_.size()) return false;
    if (arrivals[0].packets.empty()) return false;
    const Timestamp timestamp = arrivals[0].packets[0].Timestamp();
    for (const Arrival& arrival : arrivals) {
      if (arrival.packets.size() != 1 ||
          arrival.packets[0].Timestamp() != timestamp ||
          !queues_.data()[arrival.port].CanAddFirst(timestamp)) {
        return false;
      }
    }
    return true;
  }
  // Moves the packets to `inputs`. Returns their timestamp.
  Timestamp PassSet(absl::Span<const Arrival> arrivals, InputStreamSet* inputs,
                    Effects* effects) {
    const Timestamp timestamp = arrivals[0].packets[0].Timestamp();
    InputStream* const streams = inputs->begin();
    all_inputs_.BeginPass(timestamp);
    for (const Arrival& arrival : arrivals) {
      InputQueue& queue = queues_.data()[arrival.port];
      queue.Pass(timestamp, arrival.bound);
      const Timestamp bound = queue.bound();
      streams[arrival.port].Fill(std::move(arrival.packets[0]),
                                 bound == Timestamp::Done());
      all_inputs_.OnPassed(arrival.port, bound);
    }
    if (ABSL_PREDICT_FALSE(full_queues_ > 0)) NoteQueues(effects);
    return timestamp;
  }

  // The rule is that of a join, where packets may be added first.
  bool joins_all() const { return rule_ == Rule::kAllInputs; }
  // The rule is that of one input, where packets may pass.
  bool packets_may_pass() const { return rule_ == Rule::kOneInput; }
  // Whether Pass can do what Add and the rule do, for a packet at `timestamp`.
  // REQUIRES: packets_may_pass(), and no packet waits.
  bool CanPass(Timestamp timestamp) const {
    return timestamp >= queues_.data()->bound();
  }
  // Does what Add, Take and HasMoreAfter do, for one packet, which does not go
  // through the queue.
  bool Pass(Packet&& packet, Timestamp bound, InputStream* input) {
    const Timestamp after = queues_.data()->Pass(packet.Timestamp(), bound);
    input->Fill(std::move(packet), bound == Timestamp::Done());
    return bound > after || after >= Timestamp::OneOverPostStream();
  }

  // --- The rule

  Readiness Evaluate() const {
    if (rule_ == Rule::kAllInputs) return all_inputs_.Evaluate();
    if (rule_ == Rule::kOneInput) return EvaluateSingleInput(queues_[0]);
    return ABSL_PREDICT_FALSE(traits_.remembers_readiness)
               ? EvaluateUntilTaken()
               : policy_->Evaluate();
  }
  // To be asked when Evaluate says kClose: why the policy cannot go on.
  absl::Status PolicyError() const;

  // Fills `inputs` with the set at `timestamp`, which Evaluate gave. Returns
  // the input timestamp of the call: `timestamp`, unless
  // takes_when_call_starts().
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs,
                 Effects* effects) {
    switch (rule_) {
      case Rule::kOneInput:
        TakeFront(queues_.data(), inputs->begin());
        break;
      case Rule::kAllInputs:
        all_inputs_.Take(timestamp, inputs);
        break;
      case Rule::kPolicy:
        timestamp = policy_->Take(timestamp, inputs);
    }
    if (ABSL_PREDICT_FALSE(traits_.shows_times)) ShowTimes(inputs);
    if (ABSL_PREDICT_FALSE(full_queues_ > 0 || traits_.drops_packets)) {
      NoteQueues(effects);
    }
    if (ABSL_PREDICT_FALSE(traits_.watches_rooms)) NoteRooms(effects);
    return timestamp;
  }
  // A task was made of a call that will take its inputs itself, so what
  // Evaluate has said is used up. The policy is told.
  void NoteTaskMade();

  // The set at `timestamp` was just taken: whether there is something to do
  // once its call is over. `passes_bounds`: the node has an offset. REQUIRES:
  // !takes_when_call_starts().
  bool HasMoreAfter(Timestamp timestamp, bool passes_bounds) {
    if (passes_bounds) return HasMoreToPassAfter(timestamp);
    // Without an offset no bound is passed on.
    const Readiness::State next =
        joins_all() ? all_inputs_.Evaluate().state : Evaluate().state;
    return next != Readiness::State::kWait || !timestamp.IsAllowedInStream();
  }
  // True if `bound` was not passed on yet. It counts as passed on from now on.
  bool TakeBoundToPass(Timestamp bound) {
    if (bound <= passed_bound_) return false;
    passed_bound_ = bound;
    return true;
  }

  // --- Limits

  // Packets wait at some input.
  bool HasPackets() const;
  // How many more packets `port` has room for.
  std::int64_t Room(int port) const;
  // See Node for these.
  bool RaiseLimit(int port, int ceiling, Effects* effects);
  bool RaiseRoom(int port, std::int64_t room, int ceiling, Effects* effects);
  // What waits at `port`. Where bytes are not counted as packets come, the
  // packets are added to `uncounted`.
  QueueUse Measure(int port, std::vector<Packet>* uncounted) const;

  // --- Looking in

  std::vector<NodeSnapshot::Input> Snapshot() const;
  // The times of the packet that waits longest; null if none waits, or times
  // are not kept.
  const PacketTimes* TimesOfFront(int port) const;

  // --- The end

  // Counts the packets of a set that was taken, and that no call will see.
  // `lane`: where they are noted, or null.
  void NoteLost(const InputStreamSet& inputs, DropCause cause,
                TraceLane* lane = nullptr);
  // Drops what waits, and from now on what comes.
  void Close(DropCause cause, Effects* effects);
  // The same, at the end of the run. The caller destroys the policy, which may
  // be a user's, without the lock.
  std::unique_ptr<InputPolicy> Destroy(DropCause cause,
                                       std::vector<Packet>* dropped,
                                       TraceLane* lane);

 private:
  // Most nodes have the default policy. For them there is no policy object, so
  // that the compiler can inline the rule.
  enum class Rule : std::uint8_t { kOneInput, kAllInputs, kPolicy };
  struct Traits {
    bool has_arrival_rules : 1 = false;
    bool counts_bytes : 1 = false;   // at some port
    bool shows_times : 1 = false;    // of packets, at some port
    bool watches_rooms : 1 = false;  // at some port
    // What the policy says of itself.
    bool takes_when_call_starts : 1 = false;
    bool remembers_readiness : 1 = false;
    bool drops_packets : 1 = false;
    bool sees_every_packet : 1 = false;
    bool sees_every_bound : 1 = false;
  };

  void SetRule(const InputPolicyKind& policy);
  void WatchQueues(absl::Span<const QueueLimit> limits,
                   const QueueMarks& marks);
  void FindFeatures(int port);
  InputFeatures& Features();

  bool IsBounded(int port) const {
    return features_ != nullptr && features_->IsBounded(port);
  }
  bool IsTimed(int port) const {
    return features_ != nullptr && features_->IsTimed(port);
  }
  // The limit of a queue in packets; InputQueue::kNoLimit without one.
  int Limit(int port) const {
    return watches_ == nullptr ? queues_[port].limit()
                               : watches_[port].limit().packets;
  }
  void NotePolicyChange(int port) {
    if (rule_ == Rule::kAllInputs) {
      all_inputs_.OnChange(port);
    } else if (rule_ == Rule::kPolicy) {
      policy_->OnChange(port);
    }
  }
  bool HasMoreToPassAfter(Timestamp timestamp);
  // Evaluate where the policy TakesWhenCallStarts, which says kProcess only
  // once for each call.
  Readiness EvaluateUntilTaken() const;
  // Before a packet at `timestamp` is added to a bounded queue that is full:
  // drops the oldest packet. False: the new packet is dropped instead.
  bool MakeRoom(int port, Timestamp timestamp, Effects* effects);
  // Counts a packet that queue `port` refused, or reports it.
  void NoteRefused(int port, Timestamp timestamp, Effects* effects);
  // The packets that queue `port` has dropped.
  void MoveTrash(int port, std::vector<Packet>* trash, TraceLane* lane);
  // Nothing if `lane` is null.
  void TraceDrop(int port, Timestamp timestamp, DropCause cause,
                 TraceLane* lane) const;
  absl::Status QueueFullError(int port, Timestamp received) const;
  absl::Status GoesBackError(int port, Timestamp received) const;
  // Shows the times of the packets of an input set that was just taken.
  void ShowTimes(InputStreamSet* inputs);

  // --- What others are told (node_inputs_full_queues.cc)

  // After queue `port` has changed.
  void NoteQueue(int port, Effects* effects) {
    if (ABSL_PREDICT_FALSE(queues_.data()[port].HasFacts())) {
      NoteFacts(port, effects);
    }
  }
  // After any queue has changed.
  void NoteQueues(Effects* effects);
  void NoteFacts(int port, Effects* effects);
  // After packets have come to queue `port`, where the policy drops packets or
  // bytes are counted.
  void NoteWatched(int port, Effects* effects);
  // REQUIRES: there are watches.
  void LookAtQueue(int port, Effects* effects);
  // Reports a queue if it is longer than it should be.
  void NoteLength(int port, Effects* effects);
  // Reports a queue that is long, or whose packets may be large.
  void NoteLong(int port, Effects* effects);
  // REQUIRES: the policy drops packets.
  void NoteMatches(Effects* effects);
  void NoteRooms(Effects* effects);

  // First the members that few packets touch, then those that the packets of a
  // join touch, then those that all packets touch.
  const PlanNode* plan_ = nullptr;
  // For Rule::kPolicy.
  std::unique_ptr<InputPolicy> policy_;
  // The watches by port. Null where all limits are in packets.
  std::unique_ptr<QueueWatch[]> watches_;
  // Of all queues; see QueueMarks.
  int warning_size_ = 0;
  int error_size_ = 0;
  // Null for most nodes.
  std::unique_ptr<InputFeatures> features_;
  // For Rule::kAllInputs.
  InputSetReadiness all_inputs_;
  // The highest bound that has been passed on.
  Timestamp passed_bound_ = Timestamp::Unstarted();
  int full_queues_ = 0;
  Rule rule_ = Rule::kPolicy;
  Traits traits_;
  absl::Span<InputQueue> queues_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_H_
