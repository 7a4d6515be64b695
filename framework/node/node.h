// Node: a calculator in a run, with its queues, its rule of readiness and its
// life.
//
// One lock guards queues, policy and state, and is held for bookkeeping only.
// Everything that arrives (packets, bounds, headers, side packets, the end of a
// call) is a function that takes the lock, notes it, decides whether a call can
// start, and reports what follows from it in a Turn. The thread that called
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
// OVERLAPPING CALLS. Each gets a ticket when its input set is taken, and
// results leave in the order of tickets: Complete says whether the oldest call
// is over, and the thread that finds it so sends the results of all that are
// over, one after the other, for everyone.
//
// Who owns what while a call is ready or running: the invocation belongs to who
// runs it, and with it the outputs' state; where calls overlap, that state
// belongs to the thread that sends results, and is changed with the lock held.
//
// Thread rule: any thread, as said at each function.
// Tested by node_state_test and, as nodes in graphs, by graph_bounds_test,
// graph_errors_test and graph_flow_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/invocation.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

// What can be seen of a node from outside, at one moment.
struct NodeSnapshot {
  struct Input {
    std::int64_t queue_size = 0;
    std::int64_t packets_added = 0;
    std::int64_t packets_dropped = 0;
    int limit = 0;
    bool is_full = false;
    Timestamp bound;
    Timestamp min_timestamp_or_bound;
  };
  struct Output {
    std::int64_t packets_added = 0;
    Timestamp bound;
  };
  NodeState state = NodeState::kWaiting;
  // Headers and side packets that are still missing.
  int missing_to_open = 0;
  int calls_in_flight = 0;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

class Node {
 public:
  // `plan` is borrowed. `policy` says how a node with inputs becomes ready.
  // `limits` are the limits of its queues, by port.
  Node(const PlanNode& plan, const InputPolicyKind& policy,
       std::vector<int> limits);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const PlanNode& plan() const { return plan_; }
  bool overlaps() const { return max_in_flight_ > 1; }

  // Before the run: output `port` may send timestamps that go back.
  void IgnoreOrderOfOutput(int port) { unordered_outputs_.push_back(port); }

  // --- Before Open. Any thread.

  // The run has started; `missing_side_packets` are still to come.
  void Start(int missing_side_packets, Turn* turn) ABSL_LOCKS_EXCLUDED(mutex_);
  // The producer of `port` is open and has set this header, which may be empty.
  void HeaderArrived(int port, const Packet& header, Turn* turn)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void SidePacketArrived(Turn* turn) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- What arrives. Any thread, but one at a time for each port.

  // Packets, which are moved out if `may_move`, and the bound after them.
  void Deliver(int port, absl::Span<Packet> packets, bool may_move,
               Timestamp bound, Turn* turn) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Calls. For the owner of the invocation.

  // Makes calculator and contexts, and calls Open.
  absl::Status Open(Invocation* invocation, NodeEnvironment::Run run);
  // Calls Process for input set `set`.
  absl::Status Process(Invocation* invocation, int set);
  // Calls Close.
  absl::Status Close(Invocation* invocation);
  // For an invocation that takes late: fills its inputs.
  void TakeInputs(Invocation* invocation, Turn* turn)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // What a call did to output `port`: its packets, which may be moved out, and
  // the bound of the stream now. Errors go to `errors`.
  struct Output {
    absl::Span<Packet> packets;
    Timestamp bound;
    // There is nothing to tell the readers.
    bool is_news = false;
  };
  Output TakeOutput(CalculatorContext* context, int port,
                    std::vector<absl::Status>* errors);
  // After Close: all outputs end, whatever the call did.
  Output EndOutput(int port);

  // The call is over, and what it sent has been delivered.
  void FinishOpen(Invocation* invocation, Turn* turn)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Finish(Invocation* invocation, Turn* turn) ABSL_LOCKS_EXCLUDED(mutex_);
  // The node is closed now, also if Open failed.
  void FinishClose(Turn* turn) ABSL_LOCKS_EXCLUDED(mutex_);
  // An open node whose calls are over is to be closed. False in other states,
  // except at the end of the run for a node that was about to be.
  bool StartClose(bool is_end_of_run) ABSL_LOCKS_EXCLUDED(mutex_);

  // Overlapping calls: `invocation` has returned. The invocation whose results
  // are due now and belong to this thread, or null.
  Invocation* Complete(Invocation* invocation) ABSL_LOCKS_EXCLUDED(mutex_);
  // Its results are sent. The next one that is due, or null.
  Invocation* FinishInOrder(Invocation* invocation, Turn* turn)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Overlapping calls, for who sends results: after a call that went wrong
  // nothing more is sent.
  bool is_sending() const { return is_sending_results_; }
  void StopSending() { is_sending_results_ = false; }

  // The invocation for Open, Close and sources.
  Invocation* first_invocation() { return invocations_.front().get(); }
  // Valid from Open on.
  CalculatorBase* calculator() { return calculator_.get(); }
  NodeEnvironment* environment() { return environment_.get(); }

  // --- Limits and looking in. Any thread.

  NodeSnapshot Snapshot() const ABSL_LOCKS_EXCLUDED(mutex_);
  NodeState state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives full queue `port` room for one more packet, up to `ceiling`. False if
  // the ceiling does not allow it.
  bool RaiseLimit(int port, int ceiling, Turn* turn)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops calculator, contexts and packets. REQUIRES: no call is in flight.
  void Destroy() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct OutputState {
    std::atomic<Timestamp> bound{Timestamp::PreStream()};
    std::atomic<std::int64_t> packets_added{0};
    bool closed = false;
    TimestampDiff offset = TimestampDiff::Unset();
  };

  void MakeContexts();
  void BeginOutputs(CalculatorContext* context);
  absl::Status CallMeasured(Invocation* invocation, CalculatorContext* context);
  void OpenIfComplete(Turn* turn) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Schedule(Turn* turn) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Invocation* PrepareClose() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NotePolicyError(Turn* turn) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartProcess(Timestamp timestamp, Turn* turn)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Dispatch(Invocation* invocation, Turn* turn)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeSet(Timestamp timestamp, InputSet* set, Turn* turn)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PassBound(Timestamp bound, Turn* turn)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // After queue `port`, or any queue, has changed.
  void NoteQueue(int port, Turn* turn) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NoteQueues(Turn* turn) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status GoesBackError(int port, Timestamp received) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant.
  const PlanNode& plan_;
  const int max_in_flight_;
  std::vector<int> unordered_outputs_;

  // Of the calls: made by Open, then read only.
  std::unique_ptr<NodeEnvironment> environment_;
  std::unique_ptr<CalculatorBase> calculator_;
  bool has_offset_ = false;
  bool is_sending_results_ = true;  // belongs to who sends results
  // See the top for who owns the state of outputs, and the invocations.
  std::unique_ptr<OutputState[]> outputs_;
  std::vector<std::unique_ptr<Invocation>> invocations_;

  mutable Mutex mutex_;
  NodeState state_ ABSL_GUARDED_BY(mutex_) = NodeState::kWaiting;
  int missing_to_open_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Packet> headers_ ABSL_GUARDED_BY(mutex_);
  std::vector<InputQueue> queues_ ABSL_GUARDED_BY(mutex_);
  // Null for a source, and for a node with one input and the default rule. What
  // follows are its answers.
  std::unique_ptr<InputPolicy> policy_ ABSL_GUARDED_BY(mutex_);
  bool is_single_ = false;
  bool sees_every_packet_ = false;
  bool drops_packets_ = false;
  bool takes_late_ = false;
  int batch_size_ = 1;
  int full_queues_ ABSL_GUARDED_BY(mutex_) = 0;
  int in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Invocation*> free_ ABSL_GUARDED_BY(mutex_);
  // Collects input sets until it has a batch; not in flight. Null: none does.
  Invocation* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // Overlapping calls: the ring of tickets, the next to give, the next to send.
  std::vector<Invocation*> by_ticket_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t next_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t next_result_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_sending_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_H_
