#include "framework/expansion/expand_config.h"

#include <utility>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/graph_text/normalize_names.h"

namespace syncline {

absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options) {
  NormalizeNames(&config);
  ExpandedGraph graph(options, options.SubgraphTypes(),
                      {.config = std::move(config)});
  ExpandSubgraphs(&graph);
  if (!graph.errors.empty()) return graph.errors.ToStatus();
  return std::move(graph.expanded);
}

}  // namespace syncline
