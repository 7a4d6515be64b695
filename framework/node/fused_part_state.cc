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
  is_open = is_over = false;
  has_news = has_begun = false;
  if (!part->joins) return;
  queues = std::vector<InputQueue>(part->inputs.size());
  if (part->takes_each) {
    queue = queues.data();
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
  is_plain = is_usual = false;
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
  is_plain = part->takes_each && outputs.size() <= 1 &&
             environment->node_output_side_packets().empty();
  for (size_t port = 0; port < outputs.size(); ++port) {
    const bool has_readers = !part->outputs[port].readers.empty();
    const bool hands_over = outputs[port].reader != nullptr;
    is_plain =
        is_plain && outputs[port].outer_port < 0 && has_readers == hands_over;
  }
  plain_output = outputs.empty() ? nullptr : context->Outputs().begin();
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
}

absl::Status FusedPartState::Deliver(int port, absl::Span<const Packet> packets,
                                     Timestamp bound) {
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
  has_news = true;
  is_usual = false;
  if (join != nullptr) join->OnChange(port);
  return absl::OkStatus();
}

void FusedPartState::DropWaiting() {
  for (InputQueue& from : queues) {
    while (!from.empty()) from.DropFront();
  }
  if (std::exchange(slot, Slot::kShut) != Slot::kFull) return;
  is_usual = false;
  queue->Discard(std::move(input->Value()));
}

void FusedPartState::OpenSlot() {
  if (!part->takes_each) return;
  input = context->Inputs().begin();
  slot = Slot::kFree;
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
  if (slot == Slot::kFull) {
    ++sum;
    furthest_behind = -1;
  }
  waiting.store(sum, std::memory_order_relaxed);
  waits_for.store(furthest_behind, std::memory_order_relaxed);
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
  queue = nullptr;
  input = nullptr;
  slot = Slot::kShut;
  CountWaiting();
  context.reset();
  environment.reset();
}

}  // namespace syncline
