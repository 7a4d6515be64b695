// FusedNode: the calculators of a node's fused_node entries, one after the
// other in each call.
//
//   node {
//     name: "chain"
//     fused_node { calculator: "A" input_stream: "in" output_stream: "middle" }
//     fused_node { calculator: "B" input_stream: "middle" output_stream: "out"
//     }
//   }
//
// The plan makes such a node one of this calculator (expansion/lower_fused.h).
// Each part has an object, a context and outputs of its own, and lives as a
// node does: Open, calls of Process, Close. In a call of the fused node, in
// their order,
//
//   a part that reads only what the fused node reads
//       is called once, if it has a packet or is called for bounds too;
//   a part that reads what an earlier part makes
//       is called for each input set that is settled: none, one or several.
//       What is not settled waits for the next call of the fused node;
//   a part without inputs
//       is called once, until it returns tool::StatusStop(). Where no part has
//       inputs, the fused node is a source, which ends with the last of them.
//
// So a fused node sends what its parts would send as separate nodes with the
// default rule. Only parts without inputs beside parts with inputs may send
// something else. A part whose inputs have ended is closed. The other parts are
// closed at the end, in their order, each after it has got what earlier parts
// sent in Close. If the run is over before the inputs have ended, nothing is
// processed any more, as in separate nodes. Packets that wait are reported and
// dropped, and packets sent in Close reach no part. The first error ends the
// call, and names both nodes.
//
// An empty input is one that the part has no packet for. Bounds pass through a
// fused node as far as the offsets of its parts add up. A fused node with a
// part that joins has no offset. Instead it is called for bounds, which release
// packets that the part holds, and pass on in that call.
//
// Its functions are in fused_node_open.cc (Open), fused_node_calls.cc (which
// part is called when), fused_node_close.cc (Close, and what waits) and
// fused_node_deliveries.cc (what a part sent goes to later parts, and out of
// the node). fused_node_factory.cc has what the plan asks for.
//
// Thread rule: as for any calculator; max_in_flight stays 1.
// Tested by fused_node_test and, in graphs, by fused_nodes_test and
// fused_oracle_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/base/mutex.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/node/inner_queues.h"
#include "framework/node/process_guard.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class FusedNodeCalculator : public CalculatorBase, public InnerQueues {
 public:
  explicit FusedNodeCalculator(std::shared_ptr<const FusedParts> parts);
  ~FusedNodeCalculator() override;
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;
  absl::Status Close(CalculatorContext* cc) override;

  // --- InnerQueues

  std::int64_t PacketsWaiting() const override;
  std::string WhereTheyWait() const override;
  std::string PartInCall() const override;
  void DropWaiting() override;

 private:
  // --- Open

  absl::Status OpenParts(CalculatorContext* cc);
  void FindReaders();
  // Tells a plain part which parts read its output.
  void LinkReaders(FusedPartState* run);
  absl::Status OpenPart(FusedPartState* run, CalculatorContext* cc);
  Packet SidePacket(const std::string& name, const CalculatorContext& cc) const;
  void SetHeaders(FusedPartState* run, const CalculatorContext& cc);
  void SetOffsets(FusedPartState* run);

  // --- Process

  absl::Status RunParts(CalculatorContext* cc);
  absl::Status RunPart(FusedPartState* run, CalculatorContext* cc);
  // Calls a part that reads nothing of earlier parts: its inputs are those of
  // the fused node.
  absl::Status RunDirectly(FusedPartState* run, CalculatorContext* cc);
  // Calls a part that takes_each for each packet that has come.
  absl::Status RunForEach(FusedPartState* run, CalculatorContext* cc);
  // Has looked at what has come to such a part, and made the call at `last`.
  absl::Status FinishTurn(FusedPartState* run, Timestamp last);
  // Calls a plain part for the packets in its inputs, with no more work than
  // that needs. False: the call did more than send a packet, or has failed;
  // that is for FinishByRules.
  bool CallPlain(FusedPartState* run, CalculatorContext* cc);
  absl::Status FinishByRules(FusedPartState* run, CalculatorContext* cc);
  // Before such a call, where the bound of the output has risen. False: it is
  // wrong, as FinishByRules says.
  bool CatchUp(FusedPartState* run, const CalculatorContext& cc);
  // All parts had their turn, and not all of them did what a plain part does.
  absl::Status FinishTurns(CalculatorContext* cc);
  absl::Status FillQueues(FusedPartState* run, const CalculatorContext& cc);
  // Calls the part for all that is settled.
  absl::Status RunJoin(FusedPartState* run, CalculatorContext* cc);
  // The inputs are there. tool::StatusStop() sets `stops`.
  absl::Status CallProcess(FusedPartState* run, Timestamp timestamp,
                           CalculatorContext* cc, bool* stops);
  absl::Status CallInline(FusedPartState* run, Timestamp timestamp,
                          CalculatorContext* cc, bool* stops);

  // --- Close

  // Nothing can come to the part any more: it is to be closed when all parts
  // had their turn.
  void NoteEnd(FusedPartState* run);
  // Both close parts in their order, because what one sends in Close may be the
  // last packet that a later one gets.
  absl::Status CloseEndedParts(CalculatorContext* cc);
  absl::Status CloseParts(CalculatorContext* cc);
  absl::Status ClosePart(FusedPartState* run, CalculatorContext* cc);
  // Closes all open parts. What they send and return reaches nobody.
  void CloseAfterFailure(const absl::Status& status);
  void EndRun();

  // --- What a call sent

  absl::Status FinishCall(FusedPartState* run, CalculatorContext* cc);
  absl::Status FinishInline(FusedPartState* run, CalculatorContext* cc);
  absl::Status TakeResults(FusedPartState* run, CalculatorContext* cc);
  // For an output that goes out of the node, or to which the call did more than
  // to send packets.
  absl::Status TakeOutput(FusedPartState* run, size_t port,
                          CalculatorContext* cc);
  absl::Status TakeSidePackets(FusedPartState* run, CalculatorContext* cc);
  absl::Status RaiseBound(FusedPartState* run, size_t port, Timestamp bound);
  absl::Status DeliverToReaders(const FusedPart::Output& output,
                                absl::Span<const Packet> packets,
                                Timestamp bound);
  // For a part that was not called: `bound_of` says how far an output with
  // that offset is.
  absl::Status PassBound(FusedPartState* run,
                         absl::FunctionRef<Timestamp(TimestampDiff)> bound_of);
  // Where the node has promised an offset, bounds have passed through it
  // between calls: tells the part. Before its turn.
  absl::Status LearnBounds(FusedPartState* run, const CalculatorContext& cc);
  // Tells the outputs of the fused node how far the parts are, after all of
  // them had their turn.
  void SendBounds(CalculatorContext* cc);
  bool HasOpenSource() const;

  const std::shared_ptr<const FusedParts> parts_;
  std::vector<FusedPartState> runs_;  // by part
  // Held while PartInCall looks at the contexts of the parts, and while EndRun
  // takes them away: it may do so in a call of Process that has failed.
  mutable Mutex contexts_mutex_;
  bool has_inputs_ = false;
  // The state of this run, from here on.
  // Those that are outputs of the fused node too.
  std::vector<FusedPartState::Output*> outer_outputs_;
  // The plain parts whose output is sent out of the node.
  std::vector<FusedPartState*> plain_senders_;
  ProcessGuard* guard_ = nullptr;  // of the call of Process that runs
  absl::Status failure_;           // from CallPlain to FinishByRules
  bool wants_stop_ = false;
  bool has_ended_parts_ = false;
  bool is_cut_short_ = false;  // DropWaiting was called
  // The side packets that parts have made, by name.
  HashMap<std::string, Packet> side_packets_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_H_
