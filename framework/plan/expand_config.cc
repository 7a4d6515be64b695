#include "framework/plan/expand_config.h"

#include <utility>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_options.h"
#include "framework/plan/expand_subgraphs.h"
#include "framework/plan/expanded_graph.h"
#include "framework/plan/graph_registry.h"
#include "framework/plan/normalize_names.h"

namespace syncline {

absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options) {
  NormalizeNames(&config);
  const GraphRegistry& registry =
      options.registry != nullptr ? *options.registry : GraphRegistry::Global();
  ExpandedGraph graph(options, registry, {.config = std::move(config)});
  ExpandSubgraphs(&graph);
  if (!graph.errors.empty()) return graph.errors.ToStatus();
  return std::move(graph.expanded);
}

}  // namespace syncline
