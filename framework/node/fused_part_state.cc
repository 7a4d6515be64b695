#include "framework/node/fused_part_state.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// The same number as for a queue of a node that grows to resolve a deadlock.
constexpr int kMostWaiting = 1000;

}  // namespace

void FusedPartState::Prepare() {
  outputs.assign(part->outputs.size(), Output());
  SendToAll();
  is_open = is_over = has_changed = false;
  empty_slot = Slot::kShut;
  gathering.num_packets = gathering.num_expected = 0;
  MoveOutputs();
  if (!part->joins) return;
  queues = std::vector<InputQueue>(part->inputs.size());
  if (part->takes_each) {
    return;
  }
  join = std::make_unique<InputSetReadiness>(
      absl::MakeSpan(queues), part->contract.GetProcessTimestampBounds());
}

void FusedPartState::SendToAll() {
  for (size_t port = 0; port < outputs.size(); ++port) {
    outputs[port].outer_port = part->outputs[port].outer_port;
    outputs[port].unread = nullptr;
  }
  is_plain = false;
  outer_inputs.clear();
  MoveOutputs();
}

void FusedPartState::OmitUnread(const NodeEnvironment& outer) {
  for (int port = 0; port < static_cast<int>(outputs.size()); ++port) {
    Output& output = outputs[port];
    if (output.outer_port < 0) continue;
    const OutputPort& to = outer.output_port(output.outer_port);
    // The graph may have found a narrower type, which is checked there.
    const bool fits_alike =
        to.exact_type.has_value()
            ? environment->output_port(port).exact_type == to.exact_type
            : to.accepts_any;
    if (to.unread == nullptr || !fits_alike) continue;
    to.unread->is_noted = true;
    output.unread = to.unread;
    output.outer_port = -1;
  }
  is_plain = IsPlain();
  if (!is_plain) return;
  gathering.has_many_inputs = part->inputs.size() > 1;
  int port = 0;
  for (const FusedPart::Input& from : part->inputs) {
    InputStream& stream = context->Inputs().Get(port++);
    if (from.part >= 0) {
      ++gathering.num_expected;
    } else {
      outer_inputs.push_back({&from, &stream});
    }
  }
  if (part->takes_each) empty_slot = Slot::kFree;
  if (join != nullptr) empty_slot = Slot::kGathering;
  if (outputs.empty()) return BeginOutputs();
  plain.output = context->Outputs().begin();
  plain.own_progress.bound = Timestamp::PreStream();
  plain.progress =
      outputs[0].unread != nullptr ? outputs[0].unread : &plain.own_progress;
}

bool FusedPartState::IsPlain() const {
  if (!part->is_called_for_packets ||
      !part->contract.GetMessageTimes().empty() ||
      !environment->node_output_side_packets().empty()) {
    return false;
  }
  if (outputs.size() != 1) return outputs.empty();
  const TimestampDiff offset = context->Outputs().begin()->Offset();
  return environment->output_port(0).checks_order &&
         (offset == TimestampDiff(0) || offset == TimestampDiff::Unset());
}

void FusedPartState::IgnoreOrderAs(const NodeEnvironment& outer) {
  int port = 0;
  for (const FusedPart::Output& output : part->outputs) {
    OutputPort& inner = environment->output_ports()[port++];
    if (output.outer_port < 0 || !output.readers.empty()) continue;
    inner.checks_order = outer.output_port(output.outer_port).checks_order;
  }
}

void FusedPartState::BeginOutputs() {
  int port = 0;
  for (OutputStream& stream : context->Outputs()) {
    const Output& output = outputs[port++];
    stream.Begin(output.bound, output.is_closed, output.packets_added > 0);
  }
  has_begun = true;
  if (is_plain && outer_inputs.empty()) filled_slot = Slot::kDirect;
}

absl::Status FusedPartState::Deliver(int port, absl::Span<const Packet> packets,
                                     Timestamp bound) {
  UseQueues();
  InputQueue& to = queues[port];
  for (const Packet& packet : packets) {
    if (to.Add(Packet(packet)) != InputQueue::Added::kGoesBack) continue;
    const CalculatorContract& contract = part->contract;
    return absl::InvalidArgumentError(absl::StrCat(
        "Node ", NodeText(contract), " gets a packet at ",
        packet.Timestamp().DebugString(), " in the stream \"",
        contract.Inputs().layout().Names()[port], "\", where at least ",
        to.bound().DebugString(),
        " is due: what is fused and reads streams of others needs timestamps "
        "that rise. Make it a node of its own."));
  }
  to.RaiseBound(bound);
  has_changed = true;
  if (slot == Slot::kDirect) slot = Slot::kFull;
  if (join != nullptr) join->OnChange(port);
  return absl::OkStatus();
}

bool FusedPartState::TakeOuterSet(CalculatorContext* cc) {
  if (!has_begun || slot != empty_slot ||
      gathering.num_packets != gathering.num_expected) {
    return false;
  }
  InputStream* const outer = cc->Inputs().begin();
  const Timestamp timestamp =
      gathering.num_expected > 0 ? gathering.time : cc->InputTimestamp();
  for (const OuterInput& input : outer_inputs) {
    const InputStream& stream = outer[input.from->outer_port];
    // A handler may give packets of other times.
    if (stream.IsEmpty() || stream.IsDone() ||
        stream.Value().Timestamp() != timestamp) {
      return false;
    }
  }
  for (const OuterInput& input : outer_inputs) {
    TakeFrom(&outer[input.from->outer_port], input.from->is_last_reader,
             input.to);
  }
  return true;
}

void FusedPartState::UseQueues() {
  const bool is_full = slot == Slot::kDirect && join != nullptr;
  if (slot != Slot::kGathering && !is_full) return;
  slot = Slot::kShut;
  gathering.num_packets = 0;
  int port = 0;
  for (InputStream& stream : context->Inputs()) {
    if (!stream.IsEmpty()) queues[port].Add(std::move(stream.Value()));
    join->OnChange(port++);
  }
}

void FusedPartState::UseInputs() {
  if (is_plain) slot = empty_slot;
}

void FusedPartState::DropWaiting() {
  for (InputQueue& from : queues) {
    while (!from.empty()) from.DropFront();
  }
  const bool has_gathered = HasNext() || gathering.num_packets > 0;
  slot = Slot::kShut;
  gathering.num_packets = 0;
  if (!has_gathered) return;
  int port = 0;
  for (InputStream& stream : context->Inputs()) {
    InputQueue& from = queues[port++];
    if (!stream.IsEmpty()) from.Discard(std::move(stream.Value()));
  }
}

void FusedPartState::OpenSlot() {
  input = context->Inputs().begin();
  if (part->takes_each) slot = Slot::kFree;
}

void FusedPartState::CountWaiting() {
  std::int64_t sum = 0;
  int furthest_behind = -1;
  Timestamp lowest = Timestamp::Done();
  for (size_t port = 0; port < queues.size(); ++port) {
    sum += queues[port].size();
    if (!queues[port].empty() || queues[port].bound() >= lowest) continue;
    lowest = queues[port].bound();
    furthest_behind = static_cast<int>(port);
  }
  sum += gathering.num_packets;
  if (HasNext() && takes_each()) {
    ++sum;
    furthest_behind = -1;
  }
  waiting.packets.store(sum, std::memory_order_relaxed);
  waiting.port.store(furthest_behind, std::memory_order_relaxed);
}

absl::Status FusedPartState::CheckWaiting() {
  CountWaiting();
  int port = 0;
  for (const InputQueue& queue : queues) {
    const int at = port++;
    if (queue.size() <= kMostWaiting) continue;
    const CalculatorContract& contract = part->contract;
    return absl::ResourceExhaustedError(absl::StrCat(
        "Node ", NodeText(contract), " holds more than ", kMostWaiting,
        " packets of the stream \"", contract.Inputs().layout().Names()[at],
        "\", which wait for its other inputs. Let what makes those say with "
        "SetNextTimestampBound() or SetTimestampOffset() that nothing comes, "
        "or make nodes of what is fused."));
  }
  return absl::OkStatus();
}

void FusedPartState::EndRun() {
  if (!part->contract.IsPersistent()) calculator.reset();
  join.reset();
  queues.clear();
  input = nullptr;
  slot = empty_slot = Slot::kShut;
  plain.output = nullptr;
  plain.progress = nullptr;
  plain.last_reader = {};
  plain.other_readers.clear();
  gathering.num_packets = 0;
  CountWaiting();
  context.reset();
  environment.reset();
}

}  // namespace syncline
