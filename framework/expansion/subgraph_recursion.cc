#include "framework/expansion/subgraph_recursion.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/node_origin.h"

namespace syncline {

absl::Status CheckSubgraphRecursion(const OriginTable& origins, int inside,
                                    const SubgraphType& type, int max_depth) {
  // A class may give another config each time, and so end a recursion.
  if (type.source != nullptr && origins.IsInside(inside, type.name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the subgraph contains itself: ", origins.TypeChain(inside, type.name),
        "."));
  }
  if (origins.Depth(inside) >= max_depth) {
    return absl::ResourceExhaustedError(
        absl::StrCat("subgraphs are nested more than ", max_depth,
                     " deep: ", origins.TypeChain(inside, type.name), "."));
  }
  return absl::OkStatus();
}

}  // namespace syncline
