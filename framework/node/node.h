// Node: a calculator in a run, with its queues, its rule of readiness and its
// life.
//
// A node is its lock, its life cycle, and parts that know neither it nor each
// other:
//
//   NodeInputs        queues, the rule of readiness, what is told of queues
//   NodeGate          conditions, batches and timeouts, at few nodes
//   NodeOutputs       how far the outputs have come, what a call sent
//   NodeContexts      what calls see
//   OverlappingCalls  the order of results, where several calls run at once
//   NodeRow           where in memory what is worth fetching lies
//
// One lock guards them and the state, and is held for bookkeeping only.
// Everything that arrives (packets, bounds, headers, side packets, the end of a
// call) is a function that takes the lock, notes it, decides whether a call can
// start, and reports what follows from it in an Effects. The thread that called
// acts on the facts; a node knows no other node, stream table, queue or thread.
//
//   Deliver(port, packets, bound) -> ready invocation, bounds to pass on, full
//   ... the invocation runs: Open, Process or Close, then TakeOutput per port
//   Finish(invocation)            -> the next ready invocation, ...
//
// An input set leaves the queues when it becomes ready, unless the policy takes
// late. While a call is ready or running nothing else of the node is, unless
// max_in_flight is above 1; and bounds are passed on only while none is.
//
// THE END OF A CALL, where calls do not overlap, needs the lock only if there
// is something to look at. `call_` says so:
//
//            a call is ready, and after it      something arrives, or was
//            there is nothing to do             there when the call was ready
//   kIdle ---------------------------> kBusy -------------> kBusyWithNews
//     ^                                  | Finish                | Finish,
//     +----------------------------------+-----------------------+ which looks
//
// Only the holder of the lock leaves kIdle and enters kBusyWithNews; only the
// owner of the invocation leaves the busy states.
//
// OVERLAPPING CALLS have an order of results: see overlapping_calls.h.
//
// Who owns what while a call is ready or running: the invocation belongs to who
// runs it, and with it the outputs' state; where calls overlap, that state
// belongs to the thread that sends results, and is changed with the lock held.
//
// Thread rule: any thread, as said at each function.
// Tested, as nodes in graphs, by graph_bounds_test, graph_errors_test and
// graph_flow_test; its parts have tests of their own.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_batch.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/call_times.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node_contexts.h"
#include "framework/node/node_gate.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_outputs.h"
#include "framework/node/node_row.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

// What the run decides about a node.
struct NodeSettings {
  std::vector<QueueLimit> limits;  // of its queues, by port
  QueueMarks marks;                // of all of them
  // The time of every call is taken.
  bool times_calls = false;
  // The object of a persistent node, which outlives the node; null: the node
  // makes its own.
  CalculatorBase* kept_calculator = nullptr;
};

// A graph that is larger than the caches costs what it takes to fetch the cache
// lines that a call touches. So a node lies in a row of memory with all that
// its arrivals and calls touch, but for the calculator:
//
//   | few calls | Node: every call | queues | context | its streams | outputs |
//                 <- an arrival touches -->  <- a call touches ------------->
//
// A row is cheap to fetch: see docs/performance.md.
class alignas(64) Node {
 public:
  struct Destroyer {
    void operator()(Node* node) const { node->~Node(); }
  };
  using Placed = std::unique_ptr<Node, Destroyer>;

  // A node in `memory`, which outlives it and gets nothing back. `plan` is
  // borrowed. `policy` says how a node with inputs becomes ready.
  static Placed Make(const PlanNode& plan, const InputPolicyKind& policy,
                     const NodeSettings& settings,
                     std::pmr::memory_resource* memory);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const PlanNode& plan() const { return plan_; }
  bool overlaps() const { return traits_.overlaps; }
  bool is_source() const { return traits_.is_source; }
  int num_outputs() const { return outputs_.size(); }
  bool has_output_side_packets() const {
    return traits_.has_output_side_packets;
  }
  // The stream of output `port`, as the plan knows it.
  int output_stream(int port) const { return outputs_.stream(port); }

  // After Open: the node has a timestamp offset and several sync sets, which
  // become ready in no order among themselves. So a call may come at an earlier
  // time than one before it, below the bound that followed from that.
  bool OffsetMayGoBack() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Before the run: output `port` may send timestamps that go back.
  void IgnoreOrderOfOutput(int port) { outputs_.IgnoreOrder(port); }

  // Before the run: some reader of output `port` asks for the times of packets.
  void TimeOutput(int port) { outputs_.KeepTimes(port); }
  bool OutputIsTimed(int port) const { return outputs_.KeepsTimes(port); }

  // Before the run: `readers` get most of what the node sends. Their memory is
  // fetched while a call of this node runs, which pays off once a graph is too
  // large for the caches.
  void FetchAhead(absl::Span<const Node* const> readers)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- The gate, of nodes with conditions, batches for a time, or timeouts.
  // Any thread, unless a function says whose it is. See node_gate.h.

  // Before the run.
  void SetGate(NodeGate::Setup setup) ABSL_LOCKS_EXCLUDED(mutex_);
  bool has_gate() const { return traits_.has_gate; }
  // Null if there are none. Constant.
  // Looks first at what calls touch anyway.
  NodeConditions* conditions() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return ABSL_PREDICT_FALSE(traits_.has_gate) ? gate_->conditions() : nullptr;
  }
  // What waits at `port`. Takes a while where bytes are not counted as packets
  // come.
  QueueUse MeasureQueue(int port) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Before the run: says each time when there is more room at `port`.
  void WatchRoom(int port) ABSL_LOCKS_EXCLUDED(mutex_);
  // How many more packets `port` has room for.
  std::int64_t Room(int port) const ABSL_LOCKS_EXCLUDED(mutex_);

  // A source would be called.
  void AskForSource(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Something that the conditions look at has changed, or a time has come.
  void ConditionChanged(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  void TimeHasCome(std::int64_t now_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Fetches what that and the call after it will touch, without waiting. For
  // many nodes: first all of `step` 0, which is what the next step looks at to
  // find more, then all of 1, ...
  static constexpr int kFetchSteps = 4;
  void FetchForTime(int step) const ABSL_NO_THREAD_SAFETY_ANALYSIS;
  // The begun batch waits until then.
  void HoldBatch(std::int64_t target_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // It has begun to wait for inputs, which it may do for a time.
  void BeginInputWait(std::int64_t now_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // For the asker. Null: there is nothing to ask any more. Else what the
  // conditions may look at, until FinishAsk; but for the room at outputs, which
  // is to be filled in.
  NodeFacts* BeginAsk(std::int64_t now_ns) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<NodeFacts::Output>& AskedOutputs()
      ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return gate_->output_facts();
  }
  // `is_dispatched`: the result is READY, and what it takes is set aside.
  void FinishAsk(const ConditionResult& result, bool is_dispatched,
                 Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // They are not asked after all; or `is_dispatched` was undone.
  void AbandonAsk(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // A source that is held may run after all, to be closed. REQUIRES: a gate.
  void ReleaseSource(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // What it is held by; READY if it is not. A wait for a call without packets
  // holds nothing.
  ConditionResult HeldBy() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The time is up of what holds it, which is not that inputs are missing.
  bool HoldIsDue(std::int64_t now_ns) const ABSL_LOCKS_EXCLUDED(mutex_);
  // The time at which it has to look next, or ConditionResult::kNoTarget.
  std::int64_t NextTarget() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Before Open. Any thread.

  // The run has started; `missing_side_packets` are still to come.
  void Start(int missing_side_packets, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The producer of `port` is open and has set this header, which may be empty.
  void HeaderArrived(int port, const Packet& header, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void SidePacketArrived(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- What arrives. Any thread, but one at a time for each port.

  // Packets, which are moved out if `may_move`, and the bound after them.
  void Deliver(int port, absl::Span<Packet> packets, bool may_move,
               Timestamp bound, Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same with the times of the packets, which only some inputs keep.
  void DeliverTimed(int port, absl::Span<Packet> packets, bool may_move,
                    Timestamp bound, absl::Span<const PacketTimes> times,
                    Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Calls. For the owner of the invocation.

  // Makes calculator and contexts, and calls Open.
  absl::Status Open(Invocation* invocation, NodeEnvironment::Run run);
  // Calls Process for `inputs`, a set of the invocation.
  absl::Status Process(Invocation* invocation, const InputSet& inputs);
  // It takes all sets of the invocation at once, as the last one.
  bool batches_calls() const { return traits_.batches_calls; }
  // Or takes its inputs late, or has a gate.
  bool calls_unusually() const { return traits_.calls_unusually; }
  // Calls Close.
  absl::Status Close(Invocation* invocation);
  // For an invocation that takes late: fills its inputs.
  void TakeInputs(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // What a call did to output `port`: its packets, which may be moved out, and
  // the bound of the stream now. Errors go to `errors`.
  using Output = NodeOutputs::Sent;
  ABSL_ATTRIBUTE_ALWAYS_INLINE Output TakeOutput(
      CalculatorContext* context, int port, std::vector<absl::Status>* errors) {
    OutputStream& stream = context->Outputs().begin()[port];
    if (ABSL_PREDICT_FALSE(!NodeOutputs::OnlySent(stream) || overlaps())) {
      // Taken apart, so that the usual one can stay in registers.
      const Output unusual = TakeUnusualOutput(context, port, errors);
      return {.packets = unusual.packets,
              .bound = unusual.bound,
              .is_news = unusual.is_news};
    }
    return outputs_.Take(port, &stream, context->InputTimestamp());
  }
  // After Close: all outputs end, whatever the call did.
  Output EndOutput(int port) { return outputs_.End(port); }

  // The call is over, and what it sent has been delivered.
  void FinishOpen(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // For calls that do not overlap.
  void Finish(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_) {
    CallState busy = CallState::kBusy;
    if (!call_.compare_exchange_strong(busy, CallState::kIdle,
                                       std::memory_order_release,
                                       std::memory_order_relaxed)) {
      FinishWithNews(effects);
    }
  }
  // The node is closed now, also if Open failed. What waits is dropped.
  void FinishClose(Effects* effects, DropCause cause = DropCause::kAtClose)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // An open node whose calls are over is to be closed. False in other states,
  // except at the end of the run for a node that was about to be.
  bool StartClose(bool is_end_of_run) ABSL_LOCKS_EXCLUDED(mutex_);

  // Overlapping calls: `invocation` has returned. The invocation whose results
  // are due now and belong to this thread, or null.
  Invocation* Complete(Invocation* invocation) ABSL_LOCKS_EXCLUDED(mutex_);
  // Its results are sent. The next one that is due, or null.
  Invocation* FinishInOrder(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Overlapping calls, for who sends results: after a call that went wrong
  // nothing more is sent.
  bool is_sending() const { return owned_.sends_results; }
  void StopSending() { owned_.sends_results = false; }

  // The invocation for Open, Close and sources.
  Invocation* first_invocation() { return &first_; }
  // Valid from Open on.
  CalculatorBase* calculator() { return calculator_; }
  NodeEnvironment* environment() { return owned_.environment.get(); }

  // --- Limits and looking in. Any thread.

  NodeSnapshot Snapshot() const ABSL_LOCKS_EXCLUDED(mutex_);
  NodeState state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Packets wait for others to make a call with, or for a batch to be full.
  bool HoldsPackets() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing can happen any more: its silent streams with idle_after are settled
  // up to the earliest packet that waits. False if that changes nothing.
  bool SettleIdleAtEnd(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives full queue `port` room for one more packet, up to `ceiling` packets
  // and what QueueWatch allows. False if that does not allow it.
  bool RaiseLimit(int port, int ceiling, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives queue `port`, if it is not full, room for `room` more packets. False
  // if `ceiling` packets do not allow it, if it has that room, or if it drops
  // packets instead of holding anybody back.
  bool RaiseRoom(int port, std::int64_t room, int ceiling, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Packets that no call will see: counted, and dropped.

  // The input sets of the invocation from `first_set` on.
  void NoteUnprocessed(const Invocation& invocation, int first_set,
                       DropCause cause) ABSL_LOCKS_EXCLUDED(mutex_);
  // The input sets that were taken for calls that never came. REQUIRES: no call
  // runs.
  void NoteAllUnprocessed(DropCause cause) ABSL_LOCKS_EXCLUDED(mutex_);
  // Drops calculator, contexts and packets. REQUIRES: no call runs.
  void Destroy(DropCause cause) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class CallState : std::uint8_t { kIdle, kBusy, kBusyWithNews };
  // What belongs to whoever runs a call, or sends its results.
  struct OwnedByCalls {
    // Made by Open, then read only.
    std::unique_ptr<NodeEnvironment> environment;
    // Null until Open, and for a persistent node, whose object is the graph's.
    std::unique_ptr<CalculatorBase> calculator;
    // For calls with a batch: what Batch() shows.
    std::unique_ptr<std::vector<BatchedInputs>> batch;
    // Where calls overlap: results are sent, until a call went wrong.
    bool sends_results = true;
  };
  // They do not change after the run has begun. Bits, as there is no room for
  // more in the lines that calls touch.
  struct Traits {
    bool is_source : 1 = false;
    bool has_output_side_packets : 1 = false;
    bool overlaps : 1 = false;
    bool calls_unusually : 1 = false;  // takes late, or one of the next two
    bool has_gate : 1 = false;
    bool batches_calls : 1 = false;       // one call of Process for a batch
    bool delivers_unusually : 1 = false;  // see DeliverUnusual
    bool counts_bytes : 1 = false;        // at some input
    bool fetches_ahead : 1 = false;
  };

  Node(const PlanNode& plan, const InputPolicyKind& policy,
       const NodeSettings& settings, std::pmr::memory_resource* memory);
  // What arrivals touch.
  LineRow ArrivalRow() const;

  // Of calls that overlap, and of those that did more, or less, than sending
  // packets.
  Output TakeUnusualOutput(CalculatorContext* context, int port,
                           std::vector<absl::Status>* errors);
  void FinishWithNews(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  void ShowBatch(Invocation* invocation, CalculatorContext* context);
  // --- node_gates.cc
  absl::Status CallConditioned(Invocation* invocation,
                               CalculatorContext* context);
  // The gate has seen to what is ready.
  bool IsHeldAtGate(Readiness* readiness, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool BatchIsComplete(const Readiness& readiness) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DropBatch(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Nothing may be ready, but the conditions may have come to their end.
  void AskForEnd(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // There is something that a call could start with.
  bool HasInputSet() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The conditions are ready, and have set aside what the call needs.
  void StartDispatched(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CloseAtGate(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void InputTimeIsUp(std::int64_t now_ns, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Constant: whether arrivals have a time is settled before the run.
  std::int64_t ArrivalTime() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return gate_->ArrivalTime();
  }

  // True, and noted, if a call is going on that leaves no room for another.
  bool NoteNewsWhileBusy() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Fetches what the next call will touch.
  void FetchCall() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the end of the call that is about to start calls for a look.
  bool HasNewsAfter(const Invocation& invocation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int CallsInFlight() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void ReleaseContexts() ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives `invocation` contexts.
  void MakeContexts(Invocation* invocation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The one for the next call.
  Invocation* NextInvocation() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginOutputs(CalculatorContext* context) {
    int port = 0;
    for (OutputStream& output : context->Outputs()) {
      outputs_.Begin(port++, &output);
    }
  }
  void BeginOutputsOfOverlappingCall(CalculatorContext* context)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status CallMeasured(Invocation* invocation, CalculatorContext* context);
  void OpenIfComplete(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Schedule(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ScheduleIfOpen(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (state_ == NodeState::kOpen) Schedule(effects);
  }
  Invocation* PrepareClose() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A call could start at once, and takes one input set.
  bool HasRoomForCall() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !traits_.overlaps && batch_size_ == 1 &&
           call_.load(std::memory_order_acquire) == CallState::kIdle;
  }
  // Deliver where bytes are counted, an input has a rule for what arrives, or
  // there is a gate.
  void DeliverUnusual(int port, absl::Span<Packet> packets, bool may_move,
                      Timestamp bound, absl::Span<const PacketTimes> times,
                      Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddToJoin(int port, Packet&& packet, Timestamp bound, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For a node with one input where nothing waits: Add, Take and Dispatch for
  // one packet, which need not go through the queue.
  void StartWith(Packet&& packet, Timestamp bound, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartProcess(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes one more input set; the last one of a batch starts it.
  void AddToBatch(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Dispatch(Invocation* invocation, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeSet(Timestamp timestamp, InputSet* set, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PassBound(Timestamp bound, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountUnprocessed(const Invocation& invocation, int first_set,
                        DropCause cause) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // --- What few calls touch.
  const PlanNode& plan_;
  OwnedByCalls owned_;
  // For batches: collects input sets until it has one; not in flight. Null:
  // none does.
  Invocation* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  NodeContexts contexts_ ABSL_GUARDED_BY(mutex_);
  // Null unless calls are timed.
  std::unique_ptr<CallTimes> call_times_;
  // Null for most nodes.
  std::unique_ptr<NodeGate> gate_ ABSL_GUARDED_BY(mutex_);
  // Null where calls do not overlap.
  std::unique_ptr<OverlappingCalls> overlapping_ ABSL_GUARDED_BY(mutex_);
  int missing_to_open_ ABSL_GUARDED_BY(mutex_) = 0;

  // --- What every arrival and call touches, in lines of its own, from
  // inputs_.hot() on.
  alignas(16) NodeInputs inputs_ ABSL_GUARDED_BY(mutex_);
  mutable Mutex mutex_;
  NodeState state_ ABSL_GUARDED_BY(mutex_) = NodeState::kWaiting;
  // See the top. Not for overlapping calls.
  std::atomic<CallState> call_{CallState::kIdle};
  Traits traits_;
  int batch_size_ = 1;  // constant
  // See the top for who owns the outputs, and the invocations.
  NodeOutputs outputs_;
  // Set by Open, unless it is one of all runs, which is there before.
  CalculatorBase* calculator_ = nullptr;
  Invocation first_;
  // What is worth fetching, and of readers what arrivals touch.
  NodeRow row_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_H_
