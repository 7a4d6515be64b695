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
#include "framework/expansion/subgraph_recursion.h"
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

}  // namespace

void FailSubgraphNode(const Node& node, NodeOrigin origin,
                      const absl::Status& error, ExpandedGraph* graph) {
  graph->ErrorAt(origin, NodeLabel(node), error);
  graph->Excuse(node.output_stream());
  graph->Excuse(node.output_side_packet());
}

bool CheckSubgraphNode(const Node& node, NodeOrigin origin,
                       const SubgraphType& type, ExpandedGraph* graph) {
  if (!CheckFields(node, origin, graph)) return false;
  const absl::Status status =
      CheckSubgraphRecursion(graph->origins, origin.expansion, type,
                             graph->options.max_subgraph_depth);
  if (!status.ok()) FailSubgraphNode(node, origin, status, graph);
  return status.ok();
}

}  // namespace syncline
