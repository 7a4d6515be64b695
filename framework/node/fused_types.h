// The types of a fused node's ports, from those of its parts.
//
// Inside of the node types are joined as a graph joins them (unify_types): a
// port that takes anything has the type of the stream, one of several types is
// narrowed to the one that comes. What is left open is left to the graph: ports
// of the fused node that must agree say that they are the same.
//
// Thread rule: a free function.
// Tested by fused_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_TYPES_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_TYPES_H_

#include "absl/status/status.h"
#include "framework/calculator/contract.h"
#include "framework/node/fused_parts.h"

namespace syncline {

// INVALID_ARGUMENT names a part that reads something else than is made.
absl::Status DescribeFusedTypes(const FusedParts& parts,
                                CalculatorContract* outer);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_TYPES_H_
