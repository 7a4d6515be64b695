#include "framework/plan/check_subgraph_node.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/node_names.h"
#include "framework/plan/node_origin.h"
#include "framework/plan/subgraph.h"
#include "framework/plan/subgraph_fields.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using Node = CalculatorGraphConfig::Node;

bool CheckFields(const Node& node, NodeOrigin origin, CompileState* state) {
  const std::vector<absl::string_view> forbidden =
      ForbiddenSubgraphFields(node);
  if (!forbidden.empty()) {
    FailSubgraphNode(node, origin, StatusCode::kInvalidArgument,
                     OnlyForCalculatorsText(forbidden), state);
    return false;
  }
  const std::vector<absl::string_view> ignored = IgnoredSubgraphFields(node);
  if (ignored.empty()) return true;
  const std::string message = absl::StrCat(
      "has no effect on a subgraph node, set it on the nodes "
      "inside: ",
      absl::StrJoin(ignored, ", "), ".");
  if (!state->options.strict) {
    state->WarningAt(origin, NodeLabel(node), message);
    return true;
  }
  FailSubgraphNode(node, origin, StatusCode::kInvalidArgument, message, state);
  return false;
}

bool CheckNesting(const Node& node, NodeOrigin origin, const SubgraphType& type,
                  CompileState* state) {
  const int expansion = origin.expansion;
  // A class may give another config each time, and so end a recursion.
  const bool endless =
      type.source != nullptr && state->origins.IsInside(expansion, type.name);
  if (endless) {
    FailSubgraphNode(
        node, origin, StatusCode::kInvalidArgument,
        absl::StrCat("the subgraph contains itself: ",
                     state->origins.TypeChain(expansion, type.name), "."),
        state);
    return false;
  }
  if (state->origins.Depth(expansion) >= state->options.max_subgraph_depth) {
    FailSubgraphNode(
        node, origin, StatusCode::kResourceExhausted,
        absl::StrCat("subgraphs are nested more than ",
                     state->options.max_subgraph_depth, " deep: ",
                     state->origins.TypeChain(expansion, type.name), "."),
        state);
    return false;
  }
  return true;
}

}  // namespace

void FailSubgraphNode(const Node& node, NodeOrigin origin, StatusCode code,
                      absl::string_view message, CompileState* state) {
  state->ErrorAt(origin, NodeLabel(node), code, message);
  for (const auto* ports :
       {&node.output_stream(), &node.output_side_packet()}) {
    for (const std::string& port : *ports) {
      state->excused_names.insert(port.substr(port.rfind(':') + 1));
    }
  }
}

bool CheckSubgraphNode(const Node& node, NodeOrigin origin,
                       const SubgraphType& type, CompileState* state) {
  return CheckFields(node, origin, state) &&
         CheckNesting(node, origin, type, state);
}

}  // namespace syncline
