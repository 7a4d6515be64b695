// FusedPartState: the state of one part of a fused node in a run: its object,
// its context, what waits at its inputs and how far its outputs are.
//
// It knows no other part: FusedNodeCalculator calls it, and delivers what it
// sent.
//
// What comes to a part waits in queues, where the default rule joins it. A part
// that takes_each has nothing to join: a packet goes right into the input of
// its next call. If a packet is there already, the new one waits in the queue.
// Packets for a plain part that joins gather in its inputs, too, as long as
// they have the same time. If each input has a packet when the part has its
// turn, these packets are an input set. Otherwise they go into the queues,
// which are used until they are empty.
//
// Thread rule: as for the calculator that it belongs to; any thread may read
// `waiting`.
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
  // Where the next packets lie.
  enum class Slot : std::uint8_t {
    kShut,       // in the queues
    kGathering,  // in inputs, if the part is plain and joins: see
                 // gathering.num_packets
    // If the part takes_each, and all parts are open:
    kFree,    // nowhere
    kFull,    // in the input of the next call, and others in the queue
    kDirect,  // in the inputs of the next call, the part is plain, and nothing
              // else has come
  };
  // A reader of an output.
  struct Reader {
    FusedPartState* part = nullptr;
    InputStream* input = nullptr;
    InputQueue* queue = nullptr;
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

  // The packets that lie in the inputs of a plain part that joins.
  struct Gathering {
    bool has_many_inputs = false;  // also if it does not join
    int num_packets = 0;
    int num_expected = 0;  // of other parts
    Timestamp time;        // of all of them
  };
  // The one output of a plain part.
  struct PlainOutput {
    OutputStream* output = nullptr;  // null: it has none
    // How far it is. If it is sent out of the fused node, RunParts fetches what
    // the engine says.
    StreamProgress* progress = nullptr;
    // It has not just one reader, or is sent out.
    bool has_many_readers = false;
    Reader last_reader;  // gets the packet itself
    std::vector<Reader> other_readers;
    StreamProgress own_progress;  // unless it is `unread`
  };
  // An input of a plain part that is of the fused node.
  struct OuterInput {
    const FusedPart::Input* from;
    InputStream* to;
  };
  // By CountWaiting.
  struct Waiting {
    std::atomic<std::int64_t> packets{0};
    // The port that is furthest behind of those without packets, or -1.
    std::atomic<int> port{-1};
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
                           !queues.data()->CanAddFirst(timestamp))) {
      return false;
    }
    const Timestamp after = queues.data()->Pass(timestamp, bound);
    FillSlot(packet);
    if (bound == after && after < Timestamp::OneOverPostStream()) {
      slot = filled_slot;
    }
    return true;
  }
  // As HandOver, for a packet from a part that is plain to any part. The bound
  // is `after`, the successor of the packet's time, in the ordinary range. The
  // queue does not count the packet.
  static bool HandOverPlain(const Reader& to, Packet* packet, Timestamp after) {
    FusedPartState* const part = to.part;
    if (ABSL_PREDICT_TRUE(part->slot == Slot::kFree)) {
      // The queue is empty, too, as the part had its turn.
      to.queue->MoveBound(after);
      part->slot = part->filled_slot;
    } else {
      if (!part->Gathers(packet->Timestamp())) return false;
      part->gathering.time = packet->Timestamp();
      if (++part->gathering.num_packets == part->gathering.num_expected) {
        part->slot = part->filled_slot;
      }
    }
    std::construct_at(&to.input->Value(), std::move(*packet));
    return true;
  }
  // The part joins, and a packet at `timestamp` may go into an input.
  bool Gathers(Timestamp timestamp) const {
    return slot == Slot::kGathering &&
           (gathering.num_packets == 0 || gathering.time == timestamp);
  }
  // Fills the missing inputs of a plain part from the inputs of the fused node,
  // for a call. False: nothing was done, because packets are missing, or there
  // is more than packets. REQUIRES: outer_inputs are not empty.
  bool TakeOuter(CalculatorContext* cc) {
    if (ABSL_PREDICT_FALSE(gathering.has_many_inputs)) return TakeOuterSet(cc);
    const FusedPart::Input& from = *outer_inputs.data()->from;
    InputStream& stream = cc->Inputs().begin()[from.outer_port];
    // A handler may give packets of other times.
    if (!has_begun || stream.IsEmpty() || stream.IsDone() ||
        stream.Value().Timestamp() != cc->InputTimestamp()) {
      return false;
    }
    TakeFrom(&stream, from.is_last_reader, input);
    return true;
  }
  bool TakeOuterSet(CalculatorContext* cc);
  static void TakeFrom(InputStream* from, bool may_move, InputStream* to) {
    if (may_move) {
      std::construct_at(&to->Value(), std::move(from->Value()));
    } else {
      std::construct_at(&to->Value(), from->Value());
    }
  }
  // A plain part with several inputs has an input set at `timestamp`: says so
  // to the queues, if it joins.
  void PassQueues(Timestamp timestamp) {
    gathering.num_packets = 0;
    for (InputQueue& from : queues) {
      from.RaiseBound(timestamp.NextAllowedInStream());
    }
  }
  // What has gathered goes into the queues. For any part.
  void UseQueues();
  // The queues are empty: packets may gather from now on, if the part is plain.
  void UseInputs();
  // The next packet is in `input`, for a call, if there is one. REQUIRES:
  // part->takes_each, context.
  bool TakeNext() {
    if (ABSL_PREDICT_TRUE(HasNext())) {
      slot = Slot::kFree;
    } else {
      if (queues[0].empty()) return false;
      input->Value() = queues[0].TakeFront();
    }
    input->SetIsDone(queues[0].Done());
    return true;
  }
  // From now on packets go right into the input. REQUIRES: all parts are open.
  void OpenSlot();
  // The next packet is in the input.
  bool HasNext() const { return slot >= Slot::kFull; }
  // What waits is dropped, but not released, and nothing goes right into the
  // input any more.
  void DropWaiting();
  // Counts the packets that wait from one call to the next.
  void CountWaiting();
  // The same. RESOURCE_EXHAUSTED if these are too many.
  absl::Status CheckWaiting();
  // Lets go of all that belongs to the run.
  void EndRun();

  bool IsPlain() const;
  bool takes_each() const { return part->takes_each; }
  void FillSlot(Packet* packet) {
    input->Value() = std::move(*packet);
    slot = Slot::kFull;
  }

  // What BeginOutputs did does not hold for the next call.
  void MoveOutputs() {
    has_begun = false;
    filled_slot = takes_each() ? Slot::kFull : Slot::kGathering;
  }

  // --- What each call of a plain part touches: see is_plain.

  Slot slot = Slot::kShut;
  // What it is when the part has had its turn.
  Slot empty_slot = Slot::kShut;
  // What it is when all packets of other parts are there: kDirect if a call may
  // follow, as the part has_begun, and reads nothing else.
  Slot filled_slot = Slot::kFull;
  // What BeginOutputs does is done.
  bool has_begun = false;
  bool is_open = false;
  Gathering gathering;
  // Stays from run to run if it is persistent.
  std::unique_ptr<CalculatorBase> calculator;
  std::unique_ptr<CalculatorContext> context;
  // The first input, from `context` on.
  InputStream* input = nullptr;
  PlainOutput plain;
  std::vector<Output> outputs;  // by port
  // Inputs of a plain part that are of the fused node.
  std::vector<OuterInput> outer_inputs;

  // --- What others touch.

  const FusedPart* part = nullptr;
  // The state of this run, from here on.
  std::unique_ptr<NodeEnvironment> environment;
  // If the part joins: what waits, by port, and the rule for it, unless it
  // takes_each.
  std::vector<InputQueue> queues;
  std::unique_ptr<InputSetReadiness> join;
  // A bound has risen since the part had its turn, or a packet is in a queue.
  bool has_changed = false;
  bool is_over = false;  // nothing can come any more: it is to be closed
  // It is_called_for_packets, has one output at most, with no offset but 0, and
  // makes no side packets.
  bool is_plain = false;
  Waiting waiting;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_
