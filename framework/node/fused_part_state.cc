#include "framework/node/fused_part_state.h"

#include <cstdint>
#include <memory>
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
  is_open = is_over = false;
  if (!part->joins) return;
  queues = std::vector<InputQueue>(part->inputs.size());
  join = std::make_unique<InputSetReadiness>(
      absl::MakeSpan(queues), part->contract.GetProcessTimestampBounds());
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
    stream.Begin(output.bound, output.is_closed, output.had_packets);
  }
}

absl::Status FusedPartState::Deliver(int port, absl::Span<const Packet> packets,
                                     Timestamp bound) {
  InputQueue& queue = queues[port];
  for (const Packet& packet : packets) {
    if (queue.Add(Packet(packet)) != InputQueue::Added::kGoesBack) continue;
    const CalculatorContract& contract = part->contract;
    return absl::InvalidArgumentError(absl::StrCat(
        "Node ", NodeText(contract), " gets a packet at ",
        packet.Timestamp().DebugString(), " in the stream \"",
        contract.Inputs().layout().Names()[port], "\", where at least ",
        queue.bound().DebugString(),
        " is due: what is fused and reads streams of others needs timestamps "
        "that rise. Make it a node of its own."));
  }
  queue.RaiseBound(bound);
  join->OnChange(port);
  return absl::OkStatus();
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
  CountWaiting();
  context.reset();
  environment.reset();
}

}  // namespace syncline
