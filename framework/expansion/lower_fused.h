// Several calculators as one node: `fused_node` becomes one node of the
// calculator "FusedNode" (framework/node/fused_node.h).
//
//   node {                               node {
//     name: "chain"                        name: "chain"
//     fused_node {                         calculator: "FusedNode"
//       calculator: "A"                    input_stream: "IN:in"
//       input_stream: "in"                 output_stream: "MIDDLE:middle"
//       output_stream: "middle"            output_stream: "OUT:out"
//     }                            ->      fused_node { ... }
//     fused_node {                         fused_node { ... }
//       calculator: "B"                  }
//       input_stream: "middle"
//       output_stream: "out"
//     }
//   }
//
// The node's ports have the names of the streams as tags, in capitals. The
// names inside stay what they are, and find their port by this tag. So code
// that renames, drops or reads ports of nodes need not know what is inside of a
// fused node.
//
// Thread rule: pure functions.
// Tested by lower_fused_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_LOWER_FUSED_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_LOWER_FUSED_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

// The tag that a fused node's port for the stream or side packet `name` has.
std::string FusedTag(absl::string_view name);

// Changes `node`, which has fused_node, in this way. A second call changes
// nothing. `package` is where types are looked up first. `is_subgraph` says
// whether a type is a subgraph. Returns the errors; `node` gets its outputs
// even then.
std::vector<absl::Status> LowerFused(
    absl::string_view package,
    absl::FunctionRef<bool(const std::string& type)> is_subgraph,
    CalculatorGraphConfig::Node* node);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_LOWER_FUSED_H_
