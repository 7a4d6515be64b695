// How the parts are opened: side packets, headers, offsets.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/expansion/lower_fused.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

absl::Status FusedNodeCalculator::OpenParts(CalculatorContext* cc) {
  for (FusedPartState& run : runs_) run.Prepare();
  FindReaders();
  for (FusedPartState& run : runs_) {
    SYNCLINE_RETURN_IF_ERROR(OpenPart(&run, cc));
  }
  for (FusedPartState& run : runs_) run.OpenSlot();
  for (FusedPartState& run : runs_) {
    if (run.is_open) SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
    int port = 0;
    for (const FusedPart::Output& output : run.part->outputs) {
      const FusedPartState::Output& inner = run.outputs[port];
      const OutputStream& stream = run.context->Outputs().Get(port++);
      if (output.outer_port < 0) continue;
      OutputStream& outer = cc->Outputs().Get(output.outer_port);
      outer.SetOffset(inner.whole_offset);
      if (!stream.Header().IsEmpty()) outer.SetHeader(stream.Header());
    }
  }
  SendBounds(cc);
  for (FusedPartState& run : runs_) run.OmitUnread(cc->environment());
  for (FusedPartState& run : runs_) {
    if (run.is_plain && run.plain.output != nullptr) LinkReaders(&run);
  }
  return absl::OkStatus();
}

void FusedNodeCalculator::LinkReaders(FusedPartState* run) {
  for (const FusedPart::Reader& reader : run->part->outputs[0].readers) {
    FusedPartState& to = runs_[reader.part];
    run->plain.other_readers.push_back(
        {.part = &to,
         .input = &to.context->Inputs().Get(reader.port),
         .queue = &to.queues[reader.port]});
  }
  const bool is_sent = run->outputs[0].outer_port >= 0;
  run->plain.has_many_readers = run->plain.other_readers.size() != 1 || is_sent;
  if (is_sent) plain_senders_.push_back(run);
  if (run->plain.other_readers.empty()) return;
  run->plain.last_reader = run->plain.other_readers.back();
  run->plain.other_readers.pop_back();
}

void FusedNodeCalculator::FindReaders() {
  outer_outputs_.clear();
  plain_senders_.clear();
  for (FusedPartState& run : runs_) {
    for (size_t port = 0; port < run.outputs.size(); ++port) {
      const FusedPart::Output& output = run.part->outputs[port];
      if (output.outer_port >= 0) outer_outputs_.push_back(&run.outputs[port]);
      if (output.readers.size() != 1) continue;
      FusedPartState& reader = runs_[output.readers[0].part];
      if (reader.takes_each()) run.outputs[port].reader = &reader;
    }
  }
}

absl::Status FusedNodeCalculator::OpenPart(FusedPartState* run,
                                           CalculatorContext* cc) {
  const FusedPart& part = *run->part;
  const CalculatorContract& contract = part.contract;
  absl::StatusOr<PacketSet> side_packets = FillInputSidePackets(
      contract.InputSidePackets(),
      [&](const std::string& name) { return SidePacket(name, *cc); });
  if (!side_packets.ok()) {
    return PrefixStatus(
        absl::StrCat("Side packets of node ", NodeText(contract),
                     " (those of nodes that are fused before it have to be "
                     "set in Open): "),
        side_packets.status());
  }
  const NodeEnvironment& outer = cc->environment();
  NodeEnvironment::Run of_run;
  of_run.node_id = cc->NodeId();
  of_run.input_side_packets = *std::move(side_packets);
  of_run.counters = &outer.counters();
  of_run.services = outer.services();
  of_run.objects = &outer.objects();
  run->environment =
      std::make_unique<NodeEnvironment>(contract, std::move(of_run));
  run->context = std::make_unique<CalculatorContext>(*run->environment);
  run->IgnoreOrderAs(outer);
  SetHeaders(run, *cc);
  CalculatorContext* const context = run->context.get();
  if (run->calculator == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(run->calculator,
                              InvokeCreate(*part.factory, context));
  }
  run->BeginOutputs();
  context->BeginCall(CallPhase::kOpen, Timestamp::Unstarted());
  SYNCLINE_RETURN_IF_ERROR(InvokeOpen(run->calculator.get(), context));
  run->is_open = true;
  SetOffsets(run);
  return FinishCall(run, cc);
}

Packet FusedNodeCalculator::SidePacket(const std::string& name,
                                       const CalculatorContext& cc) const {
  const auto made = side_packets_.find(name);
  if (made != side_packets_.end()) return made->second;
  const CollectionItemId id = cc.InputSidePackets().GetId(FusedTag(name), 0);
  return id.IsValid() ? cc.InputSidePackets().Get(id) : Packet();
}

void FusedNodeCalculator::SetHeaders(FusedPartState* run,
                                     const CalculatorContext& cc) {
  int port = 0;
  for (const FusedPart::Input& input : run->part->inputs) {
    InputStream& stream = run->context->Inputs().Get(port++);
    stream.SetHeader(
        input.part < 0
            ? cc.Inputs().Get(input.outer_port).Header()
            : runs_[input.part].context->Outputs().Get(input.port).Header());
  }
}

void FusedNodeCalculator::SetOffsets(FusedPartState* run) {
  int port = 0;
  for (const OutputStream& output : run->context->Outputs()) {
    run->outputs[port++].whole_offset = WholeOffset(
        *run->part, output.Offset(), [this](const FusedPart::Input& input) {
          return runs_[input.part].outputs[input.port].whole_offset;
        });
  }
}

}  // namespace syncline
