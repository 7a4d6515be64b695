// Replaces every node that names a subgraph by the subgraph's own nodes.
//
// This is done in rounds. Each round takes the subgraph nodes out of the list,
// and appends their contents at its end, in their order. The contents may name
// subgraphs again, which the next round replaces. The order of the other nodes
// is kept. A registered subgraph hides a calculator of the same name. Names are
// changed as subgraph_connections.h says.
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
// CompileOptions, are errors that show the chain of types. subgraph_recursion
// finds the first, and decides how deep subgraphs may be inside each other.
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

// The expanded config, with nothing else done to it, or all errors. For
// programs that put graphs together. Only options about subgraphs and limits
// have an effect. Warnings are not logged.
absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_SUBGRAPHS_H_
