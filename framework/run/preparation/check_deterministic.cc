#include "framework/run/preparation/check_deterministic.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"

namespace syncline {
namespace {

// Whether the node's contract asks for the handler that the node has.
bool ChoseItsHandler(const PlanNode& node) {
  const absl::string_view asked = node.contract->GetInputStreamHandler();
  const auto last_part = [](absl::string_view name) {
    return name.substr(name.rfind('.') + 1);
  };
  return !asked.empty() && last_part(asked) == last_part(node.handlers.input);
}

}  // namespace

std::string WhyNotDeterministic(const GraphPlan& plan, const PlanNode& node,
                                const InputPolicyKind& kind,
                                const InputPolicy& policy,
                                absl::string_view idle) {
  const bool is_independent = node.contract->IsOrderIndependent();
  // A node that got its handler from the graph, and did not ask for it, has not
  // promised to work with any order of calls.
  const bool is_made_for_it = is_independent && ChoseItsHandler(node);
  const bool has_fixed_times =
      kind.has_timeout && plan.GraphFields().clock().type() == "ManualClock";
  if (!kind.is_deterministic && !has_fixed_times &&
      !(kind.keeps_packets && is_made_for_it)) {
    return absl::StrCat(
        "its input stream handler \"", node.handlers.input,
        "\" depends on which packet comes first. ",
        kind.deterministic_advice != nullptr
            ? kind.deterministic_advice
            : "Use DefaultInputStreamHandler; or register it with "
              "is_deterministic = true, if it is after all.");
  }
  if (!idle.empty()) {
    return absl::StrCat(
        "which packets of \"", idle,
        "\" are late depends on how far the streams are when they arrive. Do "
        "without idle_after; a producer that has nothing to send can say so "
        "with SetNextTimestampBound().");
  }
  if (is_made_for_it || (is_independent && policy.HasOneOrder())) return "";
  if (!policy.HasOneOrder()) {
    return "its sync sets are called in no fixed order. If that is the same to "
           "it, its contract can ask for the handler and say so with "
           "SetOrderIndependent(true); if it is not, put the streams into one "
           "set, as with no handler.";
  }
  if (node.bounds.are_processed) {
    return "it is called for bounds, which may arrive in any pieces. If its "
           "packets do not depend on that, its contract can say so with "
           "SetOrderIndependent(true); if they do, it has to do without "
           "SetProcessTimestampBounds(true).";
  }
  return "";
}

}  // namespace syncline
