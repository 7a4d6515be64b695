// FusedPartState: the state of one part of a fused node in a run: its object,
// its context, what waits at its inputs and how far its outputs are.
//
// It knows no other part: FusedNodeCalculator calls it, and delivers what it
// sent.
//
// What comes to a part waits in queues, where the default rule joins it. A part
// that takes_each has nothing to join: a packet goes right into the input of
// its next call. Only if one is there already, it waits in the queue.
//
// Thread rule: as for the calculator that it belongs to; any thread may read
// `waiting` and `waits_for`.
// Tested by fused_node_test (fused_part_state_test.cc) and, in graphs, by
// fused_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

struct FusedPartState {
  // Where the next packet lies, if the part takes_each.
  enum class Slot : std::uint8_t {
    kShut,  // in the queue: not all parts are open, or the run is over
    kFree,  // nowhere
    kFull,  // in the input of the next call, and others in the queue
  };
  struct Output {
    Timestamp bound = Timestamp::PreStream();
    bool is_closed = false;
    std::int64_t packets_added = 0;
    // What comes at t into the fused node, goes out here at t + offset.
    TimestampDiff whole_offset = TimestampDiff::Unset();
    // The output of the fused node to which the packets go, or -1.
    int outer_port = -1;
    // In calls of Process, in its place, where nobody reads that output.
    StreamProgress* unread = nullptr;
    // The only reader inside, if it takes_each.
    FusedPartState* reader = nullptr;
  };

  // For a new run. Before any part is opened, as each may send to later ones.
  void Prepare();
  // From now on, what would go to outputs of the fused node that nobody reads
  // is only noted. `outer` is its environment. REQUIRES: environment.
  void OmitUnread(const NodeEnvironment& outer);
  // From now on it goes there again.
  void SendToAll();
  // Timestamps of an output may go back if all that read it ignore time.
  // `outer` is the environment of the fused node. REQUIRES: environment.
  void IgnoreOrderAs(const NodeEnvironment& outer);
  // Before each call, unless has_begun. REQUIRES: context.
  void BeginOutputs();
  // Adds what came to input `port`. REQUIRES: part->joins. INVALID_ARGUMENT if
  // a packet goes back.
  absl::Status Deliver(int port, absl::Span<const Packet> packets,
                       Timestamp bound);
  // Does what Deliver does, for one packet, which it moves. False: it has to be
  // delivered. REQUIRES: part->takes_each.
  bool HandOver(Packet* packet, Timestamp bound) {
    const Timestamp timestamp = packet->Timestamp();
    if (ABSL_PREDICT_FALSE(slot != Slot::kFree ||
                           !queue->CanAddFirst(timestamp))) {
      return false;
    }
    const Timestamp after = queue->Pass(timestamp, bound);
    FillSlot(packet);
    is_usual =
        is_plain && bound == after && after < Timestamp::OneOverPostStream();
    return true;
  }
  // The same where `after` is the bound, and what follows the packet. The queue
  // does not count it.
  bool HandOverPlain(Packet* packet, Timestamp after) {
    if (ABSL_PREDICT_FALSE(slot != Slot::kFree ||
                           !queue->CanAddFirst(packet->Timestamp()))) {
      return false;
    }
    queue->RaiseBound(after);
    FillSlot(packet);
    is_usual = is_plain && after < Timestamp::OneOverPostStream();
    return true;
  }
  // The next packet is in `input`, for a call, if there is one. REQUIRES:
  // part->takes_each, context.
  bool TakeNext() {
    if (ABSL_PREDICT_TRUE(slot == Slot::kFull)) {
      slot = Slot::kFree;
    } else {
      if (queue->empty()) return false;
      input->Value() = queue->TakeFront();
    }
    input->SetIsDone(queue->Done());
    return true;
  }
  // From now on packets go right into the input. REQUIRES: all parts are open.
  void OpenSlot();
  // For a plain part: the outputs have begun, and know of all bounds that have
  // passed through the fused node.
  bool IsUpToDate() const {
    if (!has_begun) return false;
    if (plain_output == nullptr) return true;
    const Output& output = *outputs.data();
    return output.unread == nullptr ||
           output.unread->bound.load(std::memory_order_relaxed) <= output.bound;
  }
  // What waits is dropped, but not released, and nothing goes right into the
  // input any more.
  void DropWaiting();
  // Counts the packets that wait from one call to the next.
  void CountWaiting();
  // The same. RESOURCE_EXHAUSTED if these are too many.
  absl::Status CheckWaiting();
  // Lets go of all that belongs to the run.
  void EndRun();

  bool takes_each() const { return part->takes_each; }
  void FillSlot(Packet* packet) {
    input->Value() = std::move(*packet);
    slot = Slot::kFull;
    has_news = true;
  }

  const FusedPart* part = nullptr;
  // Stays from run to run if it is persistent.
  std::unique_ptr<CalculatorBase> calculator;
  // The state of this run, from here on.
  std::unique_ptr<NodeEnvironment> environment;
  std::unique_ptr<CalculatorContext> context;
  // If the part joins: what waits, by port, and the rule for it, unless it
  // takes_each.
  std::vector<InputQueue> queues;
  std::unique_ptr<InputSetReadiness> join;
  // If it takes_each: its one queue, and its one input from `context` on.
  InputQueue* queue = nullptr;
  InputStream* input = nullptr;
  Slot slot = Slot::kShut;
  // A packet has come, or the bound has risen, since the part had its turn.
  bool has_news = false;
  // It takes_each, has one output at most, which has one reader in the fused
  // node at most and is not sent out of it, and it makes no side packets.
  bool is_plain = false;
  OutputStream* plain_output = nullptr;  // null if there is none
  // It is plain, and nothing but one packet has come since it had its turn.
  bool is_usual = false;
  // What BeginOutputs does is done.
  bool has_begun = false;
  // By CountWaiting: the packets in the queues, and the port that is furthest
  // behind of those without packets, or -1.
  std::atomic<std::int64_t> waiting{0};
  std::atomic<int> waits_for{-1};
  std::vector<Output> outputs;  // by port
  bool is_open = false;
  bool is_over = false;  // nothing can come any more: it is to be closed
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_
