// Replaces every node that names a subgraph by the subgraph's own nodes.
//
// This is done in rounds: the subgraph nodes of the list are taken out, and
// their contents appended at its end in their order; these may name subgraphs
// again, which is work for the next round. The order of plain nodes is kept. A
// registered subgraph hides a calculator of the same name. Names are changed as
// subgraph_connections.h says.
//
// Before a list is looked at, its nodes take their option_value values from the
// options of the graph around them (option_values.h).
//
// Of a subgraph's config only nodes, packet generators and status handlers are
// used. On a subgraph node, fields that only make sense for calculators are
// errors, and those that would have no effect are warnings (errors when
// strict).
//
// A subgraph that contains itself, and one that expands beyond the limits in
// CompileOptions, are errors that show the chain of types. check_subgraph_node
// decides how deep subgraphs may be inside each other.
//
// Thread rule: works on the one graph that it is given; GetConfig of user
// classes runs on this thread, guarded.
// Tested by expand_subgraphs_test, expand_subgraphs_limits_test and, as
// ExpandConfig, by expand_subgraphs_config_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_SUBGRAPHS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_SUBGRAPHS_H_

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expanded_graph.h"

namespace syncline {

// Expands the config of `graph` in place and fills its origins.
void ExpandSubgraphs(ExpandedGraph* graph);

// The expanded config, with nothing else done to it, or all errors: for
// programs that put graphs together. Of the options, those count that speak of
// subgraphs and limits; warnings are not logged.
absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_SUBGRAPHS_H_
