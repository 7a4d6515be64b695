// Where the nesting of subgraphs has to end: a subgraph that contains itself,
// and one that is deeper inside others than CompileOptions allow, are errors
// that show the chain of types.
//
// Thread rule: reads what it is given.
// Tested by subgraph_recursion_test and expand_subgraphs_limits_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_RECURSION_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_RECURSION_H_

#include "absl/status/status.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/node_origin.h"

namespace syncline {

// Whether a node of `type` that stands in the expansion with the id `inside`
// (0: the graph itself) may be expanded. INVALID_ARGUMENT: that type is being
// expanded already. RESOURCE_EXHAUSTED: `max_depth` subgraphs are around it.
absl::Status CheckSubgraphRecursion(const OriginTable& origins, int inside,
                                    const SubgraphType& type, int max_depth);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_RECURSION_H_
