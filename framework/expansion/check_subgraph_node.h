// Checks a node that names a subgraph, before it is expanded: fields that only
// calculators have, and nesting without end (subgraph_recursion.h), are errors.
//
// Thread rule: works on the one graph that it is given.
// Tested by check_subgraph_node_test and expand_subgraphs_limits_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_CHECK_SUBGRAPH_NODE_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_CHECK_SUBGRAPH_NODE_H_

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/node_origin.h"
#include "framework/expansion/subgraph.h"

namespace syncline {

// Whether `node`, which names `type`, may be expanded; else the errors are
// noted.
bool CheckSubgraphNode(const CalculatorGraphConfig::Node& node,
                       NodeOrigin origin, const SubgraphType& type,
                       ExpandedGraph* graph);

// Notes an error, and excuses the outputs of the node: that they have no
// producer is no error of its own.
void FailSubgraphNode(const CalculatorGraphConfig::Node& node,
                      NodeOrigin origin, const absl::Status& error,
                      ExpandedGraph* graph);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_CHECK_SUBGRAPH_NODE_H_
