#include "framework/run/preparation/check_handlers.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/run/preparation/check_deterministic.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// The name of the first input stream of the node for which `is_wanted` holds,
// or "".
absl::string_view NameOfFirst(const PlanNode& node,
                              bool (*is_wanted)(const PlanInput& input)) {
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    if (is_wanted(node.inputs[port])) {
      return node.contract->Inputs().layout().Names()[port];
    }
  }
  return "";
}

bool HasIdleAfter(const PlanInput& input) { return input.idle_after_port >= 0; }
bool PopsPackets(const PlanInput& input) {
  return input.queue_policy == InputStreamInfo::POP;
}
bool KeepsTimes(const PlanInput& input) { return input.message_times; }

// An error that names this node and its location.
template <typename... Parts>
absl::Status NodeError(const GraphPlan& plan, const PlanNode& node,
                       const Parts&... parts) {
  const std::string location = plan.Location(node.id);
  return absl::InvalidArgumentError(
      absl::StrCat(location, location.empty() ? "" : ": ",
                   NodeLabel(node.config()), parts...));
}

// Checks that the policy of a node can do what the node's config asks for.
absl::Status CheckPolicy(const GraphPlan& plan, const PlanNode& node,
                         const InputPolicyKind& kind) {
  const bool is_deterministic = plan.settings().deterministic;
  const absl::string_view idle = NameOfFirst(node, HasIdleAfter);
  if (kind.ignores_time && !idle.empty()) {
    return NodeError(
        plan, node, " has idle_after for \"", idle,
        "\", but its input stream handler \"", node.handlers.input,
        "\" takes packets whatever their time, so there is nothing to settle. "
        "Use another handler, or do without idle_after.");
  }
  const absl::string_view popping = NameOfFirst(node, PopsPackets);
  const absl::string_view timed = NameOfFirst(node, KeepsTimes);
  if (node.max_in_flight <= 1 && !is_deterministic && popping.empty() &&
      timed.empty()) {
    return absl::OkStatus();
  }
  std::vector<InputQueue> queues(node.inputs.size());
  const std::unique_ptr<InputPolicy> policy =
      kind.create({.queues = absl::MakeSpan(queues),
                   .layout = &node.contract->Inputs().layout(),
                   .options = node.handlers.input_options,
                   .process_timestamp_bounds = node.bounds.are_processed});
  const bool drops = policy->DropsPackets() || policy->TakesWhenCallStarts();
  if (!popping.empty() && drops) {
    return NodeError(
        plan, node, " has queue_policy: POP for \"", popping,
        "\", but its input stream handler \"", node.handlers.input,
        "\" has a rule of its own for which packets it drops. Use one of the "
        "two; REJECT and FAULT go with any handler.");
  }
  // The packets of a call must be those that left the queues last: the queues
  // keep the times of no others.
  if (!timed.empty() && drops) {
    return NodeError(
        plan, node, " keeps message times of \"", timed,
        "\", which its input stream handler \"", node.handlers.input,
        "\" cannot: it shows packets other than the first that wait. Read the "
        "times in a node before this one, and send them along.");
  }
  if (is_deterministic) {
    const std::string reason =
        WhyNotDeterministic(plan, node, kind, *policy, idle);
    if (!reason.empty()) {
      return NodeError(
          plan, node,
          " cannot promise what deterministic: true asks for: ", reason);
    }
  }
  if (node.max_in_flight <= 1) return absl::OkStatus();
  if (policy->BatchSize() > 1) {
    return NodeError(plan, node,
                     " has a batch_size above 1 and max_in_flight above 1; it "
                     "can have one of them.");
  }
  if (!policy->RepeatsTimestamps()) return absl::OkStatus();
  return NodeError(
      plan, node, " has max_in_flight ", node.max_in_flight,
      ", but its input stream handler \"", node.handlers.input,
      "\" may give several calls one timestamp, so their results would have no "
      "order. Use another handler, or max_in_flight: 1.");
}

}  // namespace

absl::StatusOr<NodePolicies> FindPolicies(const GraphPlan& plan) {
  NodePolicies policies;
  std::vector<absl::Status> errors;
  const int none = policies.AddKind({});
  HashMap<absl::string_view, int> known;
  for (const PlanNode& node : plan.nodes()) {
    if (node.inputs.empty()) {
      policies.AddNode(none);
      continue;
    }
    auto found = known.find(node.handlers.input);
    if (found == known.end()) {
      absl::StatusOr<InputPolicyKind> kind =
          FindInputPolicy(node.handlers.input);
      if (!kind.ok()) {
        errors.push_back(PrefixStatus(
            absl::StrCat(NodeLabel(node.config()), ": "), kind.status()));
        continue;
      }
      found =
          known.emplace(node.handlers.input, policies.AddKind(*std::move(kind)))
              .first;
    }
    policies.AddNode(found->second);
    absl::Status status = CheckPolicy(plan, node, policies.kind(found->second));
    if (!status.ok()) errors.push_back(std::move(status));
  }
  SYNCLINE_RETURN_IF_ERROR(CombineStatuses(
      "CalculatorGraph::InitializeCalculatorNodes failed: ", errors));
  return policies;
}

}  // namespace syncline
