// WaitSearch: nodes that wait until a loop has answered, and who in it has not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/report/call_step.h"
#include "framework/report/run_reports.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_search.h"
#include "framework/report/wait_step.h"

namespace syncline {
namespace {

// How many packets the node has taken from the input that gave most, back edges
// left out.
std::int64_t TakenBy(const PlanNode& node, const NodeSnapshot& snapshot) {
  std::int64_t taken = 0;
  for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (node.inputs[port].back_edge) continue;
    taken = std::max(taken, input.packets_added - input.queue_size);
  }
  return taken;
}

// The node has passed on, or said that nothing comes for it, all that it took:
// where the output stands that has come as far as `sent`.
bool HasPassedOnAll(const PlanNode& node, const NodeSnapshot& snapshot,
                    Timestamp sent) {
  Timestamp taken = Timestamp::Done();
  for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (node.inputs[port].back_edge || input.packets_added == 0) continue;
    taken = std::min(taken, input.min_timestamp_or_bound);
  }
  return sent >= taken;
}

}  // namespace

std::vector<WaitStep> WaitSearch::LoopStarts() const {
  std::vector<WaitStep> starts;
  for (const PlanNode& node : plan_.nodes()) {
    const NodeSnapshot& snapshot = view_.nodes[node.id];
    if (snapshot.state != NodeState::kOpen) continue;
    for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
      if (starts.size() == kMostStarts) return starts;
      if (!HoldsBackFor(node.id, port)) continue;
      starts.push_back(WaitsForStream(node.id, node.inputs[port].stream,
                                      Timestamp::Done(), /*goes_back=*/true));
    }
  }
  return starts;
}

bool WaitSearch::HoldsBackFor(int node, std::size_t port) const {
  const PlanNode& plan = plan_.nodes()[node];
  const NodeSnapshot& snapshot = view_.nodes[node];
  const NodeSnapshot::LoopWait loop_wait = snapshot.inputs[port].loop_wait;
  if (loop_wait != NodeSnapshot::LoopWait::kNotSaid) {
    return loop_wait == NodeSnapshot::LoopWait::kWaits;
  }
  if (!plan.inputs[port].back_edge) return false;
  const NodeSnapshot::Output sent = SentInto(plan, plan.inputs[port].stream);
  const NodeSnapshot::Input& answers = snapshot.inputs[port];
  if (TakenBy(plan, snapshot) <= sent.packets_added ||
      sent.packets_added <= answers.packets_added ||
      sent.bound <= answers.bound) {
    return false;
  }
  return answers.packets_added == 0 ||
         !HasPassedOnAll(plan, snapshot, sent.bound);
}

int WaitSearch::AwaitedLoopInput(int node) const {
  const std::vector<NodeSnapshot::Input>& inputs = view_.nodes[node].inputs;
  const auto awaited =
      absl::c_find_if(inputs, [](const NodeSnapshot::Input& input) {
        return input.loop_wait == NodeSnapshot::LoopWait::kWaits;
      });
  return awaited == inputs.end() ? -1
                                 : static_cast<int>(awaited - inputs.begin());
}

NodeSnapshot::Output WaitSearch::SentInto(const PlanNode& node,
                                          int stream) const {
  NodeSnapshot::Output most;
  std::vector<bool> is_seen(plan_.nodes().size());
  std::vector<int> streams = {stream};
  while (!streams.empty()) {
    const PortRef producer = plan_.streams()[streams.back()].producer;
    streams.pop_back();
    if (producer.node < 0) continue;
    if (producer.node == node.id) {
      const auto& outputs = view_.nodes[node.id].outputs;
      const auto port = static_cast<std::size_t>(producer.port);
      if (port < outputs.size() &&
          outputs[port].packets_added > most.packets_added) {
        most = outputs[port];
      }
    } else if (!is_seen[producer.node]) {
      is_seen[producer.node] = true;
      for (const PlanInput& input : plan_.nodes()[producer.node].inputs) {
        streams.push_back(input.stream);
      }
    }
  }
  return most;
}

std::vector<WaitSearch::LoopStart> WaitSearch::StillLoopStarts() const {
  std::vector<LoopStart> starts;
  for (const PlanNode& node : plan_.nodes()) {
    const int port = AwaitedLoopInput(node.id);
    if (port < 0) continue;
    const PlanInput& input = node.inputs[port];
    WaitStep step = WaitsForStream(node.id, input.stream, Timestamp::Done(),
                                   input.back_edge);
    const LoopState state = StateOf(LoopOver(step), input.stream);
    if (state == LoopState::kGoesOn) continue;
    starts.push_back(
        {.step = std::move(step), .is_in_call = state == LoopState::kIsInCall});
  }
  return starts;
}

WaitSearch::LoopState WaitSearch::StateOf(const Loop& loop, int back) const {
  LoopState state = LoopState::kStandsStill;
  std::vector<bool> is_seen(plan_.nodes().size());
  std::vector<int> streams = {back};
  while (!streams.empty()) {
    const int id = plan_.streams()[streams.back()].producer.node;
    streams.pop_back();
    if (id < 0 || id == loop.head || !loop.is_inside[id] || is_seen[id]) {
      continue;
    }
    is_seen[id] = true;
    const NodeSnapshot& snapshot = view_.nodes[id];
    // A time will come by itself.
    const bool waits_for_time =
        snapshot.input_wait.until_ns != ConditionResult::kNoTarget ||
        (snapshot.batched_sets > 0 && plan_.nodes()[id].batch.max_delay_ns > 0);
    if (snapshot.state != NodeState::kOpen || waits_for_time ||
        (IsHeld(snapshot) && !IsSwitchedOff(snapshot))) {
      return LoopState::kGoesOn;
    }
    if (IsInCall(id)) state = LoopState::kIsInCall;
    for (const PlanInput& input : plan_.nodes()[id].inputs) {
      streams.push_back(input.stream);
    }
  }
  return state;
}

WaitSearch::Loop WaitSearch::LoopOver(const WaitStep& back_edge) const {
  Loop loop;
  loop.head = back_edge.who;
  loop.is_inside.resize(plan_.nodes().size());
  std::vector<int> nodes = {loop.head};
  while (!nodes.empty()) {
    const PlanNode& node = plan_.nodes()[nodes.back()];
    nodes.pop_back();
    for (const PlanOutput& output : node.outputs) {
      for (const PortRef& reader : plan_.streams()[output.stream].consumers) {
        if (loop.is_inside[reader.node]) continue;
        loop.is_inside[reader.node] = true;
        nodes.push_back(reader.node);
      }
    }
  }
  const int awaited = AwaitedLoopInput(loop.head);
  if (awaited < 0) return loop;
  const NodeSnapshot::Input& answers = view_.nodes[loop.head].inputs[awaited];
  loop.has_bounds =
      SentInto(plan_.nodes()[loop.head], back_edge.stream).bound <=
      answers.bound;
  return loop;
}

absl::optional<WaitStep> WaitSearch::OtherInputOfGate(
    const WaitStep& waits_for_gate, const Loop& loop) const {
  const int gate = waits_for_gate.next;
  const Timestamp needed = waits_for_gate.needed;
  if (gate != loop.head || AwaitedLoopInput(gate) < 0 ||
      !needed.IsRangeValue()) {
    return absl::nullopt;
  }
  const int port = LowestBehind(gate, needed, /*back_edges=*/false);
  if (port < 0) return absl::nullopt;
  return WaitsForStream(gate, plan_.nodes()[gate].inputs[port].stream, needed,
                        /*goes_back=*/false);
}

std::int64_t WaitSearch::TakenFrom(const Loop& loop, int node) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  std::int64_t taken = 0;
  for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const int stream = plan_.nodes()[node].inputs[port].stream;
    const int producer = plan_.streams()[stream].producer.node;
    if (producer < 0 || (producer != loop.head && !loop.is_inside[producer])) {
      continue;
    }
    taken = std::max(taken, snapshot.inputs[port].packets_added);
  }
  return taken;
}

bool WaitSearch::MayBeAnsweredByOthers(const Loop& loop, int node) const {
  const PlanNode& plan = plan_.nodes()[node];
  const absl::StatusOr<InputPolicyKind> policy =
      FindInputPolicy(plan.handlers.input);
  if (!policy.ok() || policy->is_deterministic) return false;
  for (std::size_t port = 0; port < plan.inputs.size(); ++port) {
    const int producer =
        plan_.streams()[plan.inputs[port].stream].producer.node;
    const bool is_of_loop =
        producer >= 0 && (producer == loop.head || loop.is_inside[producer]);
    if (!is_of_loop &&
        view_.nodes[node].inputs[port].bound != Timestamp::Done()) {
      return true;
    }
  }
  return false;
}

absl::optional<WaitStep> WaitSearch::OwesAnswer(int node, int stream,
                                                const Loop& loop) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  const auto port =
      static_cast<std::size_t>(plan_.streams()[stream].producer.port);
  const bool has_queued = absl::c_any_of(
      snapshot.inputs,
      [](const NodeSnapshot::Input& input) { return input.queue_size > 0; });
  const int patience = MayBeAnsweredByOthers(loop, node) ? 0 : 1;
  const int sets = snapshot.batched_sets;
  if (sets > 0 && !has_queued && TakenFrom(loop, node) > 0) {
    WaitStep step = LastStep(
        node,
        absl::StrCat("has collected ", sets,
                     sets == 1 ? " input set" : " input sets",
                     " for a batch that is not full, and gets no more before "
                     "it has answered"),
        absl::StrCat("Let a batch of ", Name(node), " be no larger than what ",
                     Name(loop.head), " lets in",
                     plan_.nodes()[node].batch.max_delay_ns > 0
                         ? "; else each waits for its max_delay_ns."
                         : ", or give it a max_delay_ns."));
    step.in_vain_after = patience;
    return step;
  }
  if (HasSomethingToSay(snapshot) || port >= snapshot.outputs.size()) {
    return absl::nullopt;
  }
  const NodeSnapshot::Output& output = snapshot.outputs[port];
  const bool has_passed_on_all =
      HasPassedOnAll(plan_.nodes()[node], snapshot, output.bound);
  if (has_passed_on_all && !loop.has_bounds) return absl::nullopt;
  const std::int64_t taken = TakenFrom(loop, node);
  const std::int64_t sent = output.packets_added;
  if (taken == 0 || (sent >= taken && has_passed_on_all)) return absl::nullopt;
  const std::string name = StreamName(stream);
  const std::string has_taken = absl::StrCat(
      "has taken ", taken, taken == 1 ? " packet" : " packets", ", and has ");
  const std::string advice = absl::StrCat(
      "Let ", Name(node), " send a packet on ", name, " for each that it takes",
      loop.has_bounds ? "" : ", or a bound", ", also where it has no result.");
  if (sent >= taken) {
    WaitStep step = LastStep(
        node,
        absl::StrCat(has_taken, "not come as far on ", name, ", only up to ",
                     TimeText(output.bound.PreviousAllowedInStream())),
        advice);
    step.told_as = absl::StrCat("has not come as far on ", name);
    step.is_new_once_moved = false;
    step.in_vain_after = patience;
    return step;
  }
  WaitStep step = LastStep(
      node,
      absl::StrCat(has_taken, "sent ", sent == 0 ? "none" : absl::StrCat(sent),
                   " on ", name),
      advice);
  step.told_as = absl::StrCat("has sent ", taken - sent, " fewer on ", name);
  step.is_new_once_moved = false;
  step.in_vain_after = patience;
  return step;
}

}  // namespace syncline
