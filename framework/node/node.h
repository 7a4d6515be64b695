// Node: a calculator in a run, with its queues, its policy and its life.
//
// A node is its lock, its life cycle, and parts that know neither it nor each
// other:
//
//   NodeInputs        queues and their policy, what a run is told about them
//   ConditionGate     conditions, batches and timeouts, at few nodes
//   NodeOutputs       how far the outputs have come, what a call sent
//   NodeContexts      what calls see
//   OverlappingCalls  the order of results, where several calls run at once
//   NodeRow           the cache lines that the node fetches before it needs
//   them OpenPrerequisites what Open has to wait for
//
// One lock guards them and the state, and is held for bookkeeping only.
// Everything that arrives (packets, bounds, headers, side packets, the end of a
// call) is a function that takes the lock, notes what arrived, decides whether
// a call can start, and reports what follows in an Effects. The thread that
// called acts on these facts. A node knows no other node, no table of streams,
// no task queue and no thread.
//
//   Deliver(port, packets, bound) -> a call that is ready, bounds to pass on,
//                                    queues that are full
//   ... the call runs: Open, Process or Close, then TakeOutput for each output
//   Finish()                      -> the next call that is ready, ...
//
// An input set leaves the queues when it becomes ready, or, where the policy
// TakesWhenCallStarts, when its call starts. A node has one call at a time that
// is ready or runs, unless its max_in_flight is above 1. A node passes bounds
// on only while it has no such call.
//
// THE LOCK is not needed for the plain call of a node with one input. A packet
// that finds the node free starts the call at once (StartDirectly). The call
// ends without the lock, unless the node has to be looked at again
// (single_call.h). OVERLAPPING CALLS have an order of results: see
// overlapping_calls.h.
//
// WHO OWNS WHAT while a call is ready or runs: the invocation belongs to the
// thread that runs it, and the state of the outputs with it. Where calls
// overlap, this state belongs to the thread that sends results, and that thread
// holds the lock to change it.
//
// Thread rule: any thread, as said at each function.
// Tested without a graph by node_test, and in graphs by graph_bounds_test,
// graph_errors_test and graph_flow_test; each part has a test of its own.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_H_

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_batch.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/call_times.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node_contexts.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_outputs.h"
#include "framework/node/node_row.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/node/open_prerequisites.h"
#include "framework/node/overlapping_calls.h"
#include "framework/node/single_call.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

class InnerQueues;

// What the run decides about a node.
struct NodeSettings {
  std::vector<QueueLimit> limits;  // of its queues, by port
  QueueMarks marks;                // of all its queues
  // The node measures how long every call takes.
  bool times_calls = false;
  // The calculator of a persistent node, which outlives the node. Null: the
  // node makes its calculator itself.
  CalculatorBase* kept_calculator = nullptr;
};

// In a graph that is larger than the caches of the machine, most of the time
// goes into fetching the cache lines that a call touches. So all that arrivals
// and calls of a node touch lies in one row of memory, except for the
// calculator:
//
//   | few calls | Node: every call | queues | context | its streams | outputs |
//                 <- an arrival touches -->  <- a call touches ------------->
//
// Lines that lie in a row are cheap to fetch: see docs/performance.md.
class alignas(64) Node {
 public:
  struct Destroyer {
    void operator()(Node* node) const { node->~Node(); }
  };
  using Placed = std::unique_ptr<Node, Destroyer>;

  // Makes a node in `memory`, which has to outlive the node; the memory is not
  // given back. `plan` is borrowed. `policy` says when a node with inputs is
  // ready.
  static Placed Make(const PlanNode& plan, const InputPolicyKind& policy,
                     const NodeSettings& settings,
                     std::pmr::memory_resource* memory);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const PlanNode& plan() const { return plan_; }
  bool overlaps() const { return traits_.overlaps; }
  bool is_source() const { return traits_.is_source; }
  // The top of this file says who owns them.
  NodeOutputs& outputs() { return outputs_; }
  const NodeOutputs& outputs() const { return outputs_; }
  bool has_output_side_packets() const {
    return traits_.has_output_side_packets;
  }

  // After Open: the node has a timestamp offset, and its policy joins its
  // inputs in several groups, which become ready in any order. So a call may be
  // at an earlier time than the call before it, and below the bound that
  // followed from that call.
  bool OffsetMayGoBack() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Before the run: `readers` get most of what the node sends. Their memory is
  // fetched while a call of this node runs. That is worth it where a graph is
  // too large for the caches.
  void FetchAhead(absl::Span<const Node* const> readers)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // What FetchAhead has set.
  const NodeRow& row() const { return row_; }
  // The lines that arrivals touch: addresses, which stay the same.
  LineRow ArrivalRow() const ABSL_NO_THREAD_SAFETY_ANALYSIS;

  // --- The gate (condition_gate.h), which a node has if it has conditions,
  // gathers batches for a time, or has a timeout. Any thread, unless a function
  // says whose it is.

  // Before the run.
  void SetGate(ConditionGate::Setup setup) ABSL_LOCKS_EXCLUDED(mutex_);
  bool has_gate() const { return traits_.has_gate; }
  // Null if there are none. Constant. Looks at the traits first, since they lie
  // in a line that calls touch anyway.
  NodeConditions* conditions() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return ABSL_PREDICT_FALSE(traits_.has_gate) ? gate_->conditions() : nullptr;
  }
  // What waits at `port`. Slow where the queue does not count its bytes as
  // packets come.
  QueueUse MeasureQueue(int port) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Before the run: each time when there is more room at `port`, the node
  // reports it.
  void WatchRoom(int port) ABSL_LOCKS_EXCLUDED(mutex_);
  // How many more packets `port` has room for.
  std::int64_t Room(int port) const ABSL_LOCKS_EXCLUDED(mutex_);

  // A source is to be called: its conditions are asked first.
  void AskForSource(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Something that the conditions look at has changed.
  void ConditionChanged(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // The time for which the gate had a timer has come.
  void TimeHasCome(std::int64_t now_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Fetches, without waiting, what TimeHasCome and the call after it will
  // touch. Each step finds its addresses in the lines that the step before it
  // fetched. So for many nodes, call first `step` 0 of all of them, then `step`
  // 1, ...
  static constexpr int kFetchSteps = 4;
  void FetchForTime(int step) const ABSL_NO_THREAD_SAFETY_ANALYSIS;
  // The batch that was begun waits until `target_ns` at most.
  void HoldBatch(std::int64_t target_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The node waits for inputs from now on, until its timeout.
  void BeginInputWait(std::int64_t now_ns, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // For the asker: the facts that the conditions may look at until FinishAsk.
  // The asker fills in how much room there is at outputs. Null: there is
  // nothing to ask any more.
  NodeFacts* BeginAsk(std::int64_t now_ns) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<NodeFacts::Output>& AskedOutputs()
      ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return gate_->output_facts();
  }
  // `is_dispatched`: the result is READY, and the conditions have set aside
  // what the call uses up.
  void FinishAsk(const ConditionResult& result, bool is_dispatched,
                 Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // The conditions are not asked after all, or their dispatch was undone.
  void AbandonAsk(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the hold of a source, because the run wants to close it. REQUIRES: the
  // node has a gate.
  void ReleaseSource(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Why the node is held; READY if it is not. A wait for a call without packets
  // does not hold it.
  ConditionResult HeldBy() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether the node waits for its conditions: they hold an input set back, or
  // they would hold back any, because they ask for more packets than are
  // queued. Conditions that could be ready now do not count.
  bool WaitsForConditions() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The node is held until a time that has come. Says nothing of the time until
  // which the node waits for inputs.
  bool HoldIsDue(std::int64_t now_ns) const ABSL_LOCKS_EXCLUDED(mutex_);
  // The next time at which the node has to be looked at, or
  // ConditionResult::kNoTarget.
  std::int64_t NextTarget() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Before Open. Any thread.

  // The run has started; `missing_side_packets` are still to come. What Open
  // has to wait for is decided in open_prerequisites.h.
  void Start(int missing_side_packets, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The producer of `port` is open and has set this header, which may be empty.
  void HeaderArrived(int port, const Packet& header, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void SidePacketArrived(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- What arrives. Any thread, but one at a time for each port. Only a bound
  // that was passed on without a call may come beside another arrival. Such a
  // bound tells of earlier time.

  // Does what Deliver does, without the lock, for one packet that is an input
  // set by itself and finds the node free. Returns the call that is ready,
  // which is all that follows; null: nothing was done.
  ABSL_ATTRIBUTE_ALWAYS_INLINE Invocation* StartDirectly(
      absl::Span<Packet> packets, bool may_move,
      Timestamp bound) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if (packets.size() != 1 || !traits_.starts_directly) return nullptr;
    Packet& packet = packets[0];
    const Timestamp timestamp = packet.Timestamp();
    if (ABSL_PREDICT_FALSE(!inputs_.CanPass(timestamp)) || !call_.Claim()) {
      return nullptr;
    }
    InputSet& set = *first_.sets.data();
    set.timestamp = timestamp;
    InputStream* const input = set.context->Inputs().begin();
    const bool looks_again = may_move
                                 ? inputs_.Pass(std::move(packet), bound, input)
                                 : inputs_.Pass(Packet(packet), bound, input);
    if (ABSL_PREDICT_FALSE(looks_again)) call_.LookAgain();
    // No packet had to wait, so the lines of the call are not fetched yet.
    if (ABSL_PREDICT_FALSE(traits_.fetches_ahead)) FetchForCall();
    return &first_;
  }
  // Adds `packets`, which are moved out if `may_move`, and raises the bound of
  // the input to `bound`.
  void Deliver(int port, absl::Span<Packet> packets, bool may_move,
               Timestamp bound, Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Does what Deliver does for each of `arrivals`, which are of different
  // ports; takes the lock once, and looks once whether a call is ready.
  // REQUIRES: joins_plainly().
  void DeliverTogether(absl::Span<const Arrival> arrivals, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The node joins all its inputs by timestamp, and needs to know nothing else
  // of what arrives.
  bool joins_plainly() const { return traits_.joins_plainly; }
  // The same as Deliver with the times of the packets, which few inputs keep.
  void DeliverTimed(int port, absl::Span<Packet> packets, bool may_move,
                    Timestamp bound, absl::Span<const PacketTimes> times,
                    Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Calls. For the owner of the invocation.

  // Makes calculator and contexts, and calls Open.
  absl::Status Open(Invocation* invocation, NodeEnvironment::Run run);
  // Calls Process for `inputs`, a set of the invocation.
  absl::Status Process(Invocation* invocation, const InputSet& inputs);
  // The same for an invocation of Kind::kPlain, or of a source that is
  // otherwise as such a node.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status ProcessPlain(
      Invocation* invocation, const InputSet& inputs) {
    CalculatorContext* const context = inputs.context;
    BeginOutputs(context);
    return CallPlain(invocation, inputs);
  }
  // The same for an invocation of Kind::kToSome.
  absl::Status ProcessToSome(Invocation* invocation, const InputSet& inputs);
  // The same for an invocation of Kind::kPlainToSome.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status ProcessPlainToSome(
      Invocation* invocation, const InputSet& inputs) {
    OutputStream* const outputs = inputs.context->Outputs().begin();
    for (const int port : sent_ports()) outputs_.Begin(port, &outputs[port]);
    return CallPlain(invocation, inputs);
  }
  // For such an invocation: the outputs to which calls of Process send. The
  // calculator notes the progress of the others itself
  // (StreamProgress::is_noted).
  absl::Span<const int> sent_ports() const {
    return *owned_.environment->sent_ports();
  }
  // One call of Process takes all sets of the invocation: it is called for the
  // last set, and finds the others in the batch of its context.
  bool batches_calls() const { return traits_.batches_calls; }
  // The node batches calls, or takes inputs when a call starts, or has a gate.
  bool calls_by_rules() const { return traits_.calls_by_rules; }
  // Calls Close.
  absl::Status Close(Invocation* invocation);
  // For an invocation that takes_when_call_starts: fills its inputs.
  void TakeInputs(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // What a call did to output `port`: the packets that it sent, which may be
  // moved out, and the bound of the stream now. Errors go to `errors`.
  using Output = NodeOutputs::Sent;
  ABSL_ATTRIBUTE_ALWAYS_INLINE Output TakeOutput(
      CalculatorContext* context, int port, std::vector<absl::Status>* errors) {
    OutputStream& stream = context->Outputs().begin()[port];
    if (ABSL_PREDICT_FALSE(!NodeOutputs::OnlySent(stream) || overlaps())) {
      // Taken apart, so that the usual one can stay in registers.
      const Output output = TakeOutputByRules(context, port, errors);
      return {.packets = output.packets,
              .bound = output.bound,
              .tells_readers = output.tells_readers};
    }
    return outputs_.Take(port, &stream, TimeOfPromises(*context));
  }

  // The call is over, and what it sent has been delivered.
  void FinishOpen(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // For calls that do not overlap.
  void Finish(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_) {
    if (!TryFinish()) FinishAndLookAgain(effects);
  }
  // False: the node has to be looked at again, with FinishAndLookAgain.
  bool TryFinish() { return call_.TryEnd(traits_.starts_directly); }
  void FinishAndLookAgain(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // The node is closed now, also where Open has failed. The packets that wait
  // are dropped.
  void FinishClose(Effects* effects, DropCause cause = DropCause::kAtClose)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Begins to close an open node whose calls are over. False: the node is in
  // another state. At the end of the run, a node that is kClosing already gives
  // true, since the call of Close that was ready will not come.
  bool StartClose(bool is_end_of_run) ABSL_LOCKS_EXCLUDED(mutex_);

  // For overlapping calls: the call of `invocation` has returned. Returns the
  // invocation whose results this thread has to send now, or null.
  Invocation* Complete(Invocation* invocation) ABSL_LOCKS_EXCLUDED(mutex_);
  // The results of `invocation` are sent. Returns the next one, or null.
  Invocation* FinishInOrder(Invocation* invocation, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // For overlapping calls, and the thread that sends results: after a call that
  // went wrong nothing more is sent.
  bool is_sending() const { return owned_.extras->sends_results; }
  void StopSending() { owned_.extras->sends_results = false; }

  // The invocation for Open, Close and sources.
  Invocation* first_invocation() { return &first_; }
  // Valid from Open on.
  CalculatorBase* calculator() { return calculator_; }
  NodeEnvironment* environment() { return owned_.environment.get(); }

  // --- Limits and looking in. Any thread.

  NodeSnapshot Snapshot() const ABSL_LOCKS_EXCLUDED(mutex_);
  NodeState state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Packets wait in the queues, or in a batch that is not full.
  bool HasPackets() const ABSL_LOCKS_EXCLUDED(mutex_);
  // How many wait at the parts of a fused node (InnerQueues).
  std::int64_t PacketsInside() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing can happen any more in the run: settles the silent streams that
  // have idle_after, up to the earliest packet that waits. False if that
  // changes nothing.
  bool SettleSilentAtEnd(Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives queue `port`, which is full, room for one more packet. False if it
  // would then hold more than `ceiling` packets, or more bytes than QueueWatch
  // allows.
  bool RaiseLimit(int port, int ceiling, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives queue `port`, which is not full, room for `room` more packets. False
  // if it would then hold more than `ceiling` packets, if it has that room
  // already, or if it drops packets instead of holding sources back.
  bool RaiseRoom(int port, std::int64_t room, int ceiling, Effects* effects)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Packets that no call will see. They are counted as dropped.

  // `lane`: where the drops are noted, or null.

  // Counts the packets of the invocation's input sets, from `first_set` on.
  void NoteUnprocessed(const Invocation& invocation, int first_set,
                       DropCause cause, TraceLane* lane = nullptr)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Counts the packets of input sets that were taken for calls that never came.
  // REQUIRES: no call runs.
  void NoteAllUnprocessed(DropCause cause, TraceLane* lane = nullptr)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Drops calculator, contexts and packets. REQUIRES: no call runs.
  void Destroy(DropCause cause, TraceLane* lane = nullptr)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // What few nodes have, and belongs to their calls.
  struct Extras {
    // For calls with a batch: what Batch() of the context shows.
    std::vector<BatchedInputs> batch;
    // Null unless calls are timed.
    std::unique_ptr<CallTimes> call_times;
    // Where calls overlap: no call has gone wrong yet, so results are sent.
    bool sends_results = true;
  };
  // What belongs to the thread that runs a call, or sends its results.
  struct OwnedByCalls {
    // Made by Open, then read only.
    std::unique_ptr<NodeEnvironment> environment;
    std::unique_ptr<Extras> extras;
  };
  // They do not change once the run has begun. They are bits because the lines
  // that calls touch have no room for more.
  struct Traits {
    bool is_source : 1 = false;
    bool has_output_side_packets : 1 = false;
    bool overlaps : 1 = false;
    bool calls_by_rules : 1 = false;
    bool has_gate : 1 = false;
    bool batches_calls : 1 = false;
    bool delivers_by_rules : 1 = false;  // see DeliverByRules
    bool counts_bytes : 1 = false;       // at some input
    // See StartDirectly. The first of its byte, as each call asks for it.
    bool starts_directly : 1 = false;
    bool fetches_ahead : 1 = false;
    bool joins_plainly : 1 = false;  // see LookAtJoin
    // Not that of a persistent node, whose object is the graph's.
    bool owns_calculator : 1 = false;
  };

  Node(const PlanNode& plan, const InputPolicyKind& policy,
       const NodeSettings& settings, std::pmr::memory_resource* memory);
  // TakeOutput where calls overlap, or where the call did not just send
  // packets.
  Output TakeOutputByRules(CalculatorContext* context, int port,
                           std::vector<absl::Status>* errors);
  void ShowBatch(Invocation* invocation, CalculatorContext* context);
  // --- node_gate.cc
  absl::Status CallConditioned(Invocation* invocation,
                               CalculatorContext* context);
  // The gate holds what is ready back, or has dispatched it.
  bool IsHeldAtGate(Readiness* readiness, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool BatchIsComplete(const Readiness& readiness) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DropBatch(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Has the conditions asked although no input set is ready, since they may say
  // NEVER now.
  void AskForEnd(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A call could start, if the conditions allow it.
  bool HasInputSet() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The conditions are READY, and have set aside what the call uses up.
  void StartDispatched(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CloseAtGate(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void InputTimeIsUp(std::int64_t now_ns, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // No lock is needed: before the run it is known whether arrivals get a time.
  std::int64_t ArrivalTime() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return gate_->ArrivalTime();
  }

  // True if no further call can start before one has ended. Then the end of
  // that call looks at the node again.
  bool ArrivedWhileBusy() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Fetches what the next call will touch.
  void FetchCall() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same, and what the packets that it sends will touch. For the thread of
  // the call.
  void FetchForCall() const ABSL_NO_THREAD_SAFETY_ANALYSIS;
  // Whether each call of Process is one of Kind::kPlain.
  bool CallsArePlain() const;
  // Whether the node has to be looked at after the call that is about to start.
  bool LooksAgainAfter(const Invocation& invocation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The input timestamp of the call; Unset if it has none or has not begun.
  Timestamp TimestampOf(const Invocation& invocation) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int CallsInFlight() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (traits_.overlaps) return overlapping_->in_flight();
    return call_.HasNoCall() ? 0 : 1;
  }
  // Null where the node is not open, or its calculator keeps no packets.
  const InnerQueues* inner_queues() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void ReleaseContexts() ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the contexts of `invocation`.
  void MakeContexts(Invocation* invocation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The invocation for the next call.
  Invocation* NextInvocation() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginOutputs(CalculatorContext* context) {
    OutputStream* const first = context->Outputs().begin();
    // Most nodes have one, for which a loop would take twice as long.
    if (ABSL_PREDICT_TRUE(outputs_.size() == 1)) {
      return outputs_.Begin(0, first);
    }
    int port = 0;
    for (OutputStream& output : context->Outputs()) {
      outputs_.Begin(port++, &output);
    }
  }
  // What Process does after the outputs have begun; CallPlain for calls of the
  // plain kinds.
  absl::Status CallProcess(Invocation* invocation, const InputSet& inputs);
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status CallPlain(Invocation* invocation,
                                                      const InputSet& inputs) {
    CalculatorContext* const context = inputs.context;
    context->BeginCall(CallPhase::kProcess, inputs.timestamp);
    if (ABSL_PREDICT_FALSE(--invocation->calls_to_measure < 0)) {
      return CallMeasured(invocation, context);
    }
    return InvokeProcess(calculator_, context);
  }
  absl::Status CallMeasured(Invocation* invocation, CalculatorContext* context);
  // Before Open: the calculator may note the progress of outputs that nobody
  // reads. After it: which outputs it sends to.
  void OfferUnread();
  // An output of any type gets that of who reads its stream.
  static void TakeResolvedType(const PacketType* resolved, OutputPort* output);
  void FindSentPorts();
  void StartOpen(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Schedule(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ScheduleIfOpen(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (state_ == NodeState::kOpen) Schedule(effects);
  }
  // The invocation for Close.
  Invocation* BeginClose() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Deliver where bytes are counted, an input has a rule for what arrives, or
  // there is a gate.
  void DeliverByRules(int port, absl::Span<Packet> packets, bool may_move,
                      Timestamp bound, absl::Span<const PacketTimes> times,
                      Effects* effects) ABSL_LOCKS_EXCLUDED(mutex_);
  // Does what Schedule does for an open node that joins_plainly, when a packet
  // has been added.
  void LookAtJoin(Effects* effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same, where the input set at `timestamp` is ready; then, where it is in
  // the context already.
  void StartJoin(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartFilled(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartProcess(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes one more input set into the batch, and starts the call if the batch
  // is full.
  void AddToBatch(Timestamp timestamp, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Dispatch(Invocation* invocation, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeSet(Timestamp timestamp, InputSet* set, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    set->timestamp = inputs_.Take(timestamp, &set->context->Inputs(), effects);
  }
  void PassBound(Timestamp bound, Effects* effects)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountUnprocessed(const Invocation& invocation, int first_set,
                        DropCause cause, TraceLane* lane)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // --- What few calls touch
  const PlanNode& plan_;
  OwnedByCalls owned_;
  // The batch that is being gathered, which is not in flight. Null: there is
  // none.
  Invocation* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  NodeContexts contexts_ ABSL_GUARDED_BY(mutex_);
  // Null for most nodes.
  std::unique_ptr<ConditionGate> gate_ ABSL_GUARDED_BY(mutex_);
  // Null where calls do not overlap.
  std::unique_ptr<OverlappingCalls> overlapping_ ABSL_GUARDED_BY(mutex_);
  OpenPrerequisites to_open_ ABSL_GUARDED_BY(mutex_);

  // --- What every arrival and call touches: from inputs_.hot() on it lies in
  // cache lines of its own
  NodeInputs inputs_ ABSL_GUARDED_BY(mutex_);
  mutable Mutex mutex_;
  NodeState state_ ABSL_GUARDED_BY(mutex_) = NodeState::kWaiting;
  SingleCall call_;  // not for overlapping calls
  Traits traits_;
  int batch_size_ = 1;  // constant
  // The top of this file says who owns the outputs and the invocations.
  NodeOutputs outputs_;
  // Made by Open; for a persistent node, given before the run.
  CalculatorBase* calculator_ = nullptr;
  Invocation first_;
  // The lines of this node, and of its readers, that are worth fetching.
  NodeRow row_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_H_
