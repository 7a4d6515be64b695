#include "framework/expansion/check_subgraph_node.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/node_origin.h"
#include "framework/expansion/subgraph.h"
#include "framework/expansion/subgraph_fields.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

bool CheckFields(const Node& node, NodeOrigin origin, ExpandedGraph* graph) {
  const std::vector<absl::string_view> forbidden =
      ForbiddenSubgraphFields(node);
  if (!forbidden.empty()) {
    FailSubgraphNode(
        node, origin,
        absl::InvalidArgumentError(OnlyForCalculatorsText(forbidden)), graph);
    return false;
  }
  const std::vector<absl::string_view> ignored = IgnoredSubgraphFields(node);
  if (ignored.empty()) return true;
  const std::string message = absl::StrCat(
      "has no effect on a subgraph node, set it on the nodes "
      "inside: ",
      absl::StrJoin(ignored, ", "), ".");
  if (!graph->options.strict) {
    graph->WarningAt(origin, NodeLabel(node), message);
    return true;
  }
  FailSubgraphNode(node, origin, absl::InvalidArgumentError(message), graph);
  return false;
}

bool CheckNesting(const Node& node, NodeOrigin origin, const SubgraphType& type,
                  ExpandedGraph* graph) {
  const OriginTable& origins = graph->origins;
  const int max_depth = graph->options.max_subgraph_depth;
  absl::Status error;
  // A class may give another config each time, and so end a recursion.
  if (type.source != nullptr && origins.IsInside(origin.expansion, type.name)) {
    error = absl::InvalidArgumentError(
        absl::StrCat("the subgraph contains itself: ",
                     origins.TypeChain(origin.expansion, type.name), "."));
  } else if (origins.Depth(origin.expansion) >= max_depth) {
    error = absl::ResourceExhaustedError(absl::StrCat(
        "subgraphs are nested more than ", max_depth,
        " deep: ", origins.TypeChain(origin.expansion, type.name), "."));
  }
  if (!error.ok()) FailSubgraphNode(node, origin, error, graph);
  return error.ok();
}

}  // namespace

void FailSubgraphNode(const Node& node, NodeOrigin origin,
                      const absl::Status& error, ExpandedGraph* graph) {
  graph->ErrorAt(origin, NodeLabel(node), error);
  graph->Excuse(node.output_stream());
  graph->Excuse(node.output_side_packet());
}

bool CheckSubgraphNode(const Node& node, NodeOrigin origin,
                       const SubgraphType& type, ExpandedGraph* graph) {
  return CheckFields(node, origin, graph) &&
         CheckNesting(node, origin, type, graph);
}

}  // namespace syncline
