#include "framework/expansion/expansion_test_support.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/test_graphs.h"
#include "gtest/gtest.h"

namespace syncline {

Expansion Expand(GraphSource source, const CompileOptions& options) {
  const GraphRegistry& registry =
      options.registry != nullptr ? *options.registry : GraphRegistry::Global();
  ExpandedGraph graph(options, registry, std::move(source));
  ExpandSubgraphs(&graph);
  return {.config = std::move(graph.expanded),
          .warnings = std::move(graph.warnings),
          .error = graph.errors.ToStatus()};
}

CalculatorGraphConfig ExpandedConfig(absl::string_view text,
                                     const CompileOptions& options) {
  Expansion expansion = Expand(ParseSource(text), options);
  EXPECT_TRUE(expansion.error.ok()) << expansion.error << "\nin:\n" << text;
  return std::move(expansion.config);
}

absl::Status ExpansionError(absl::string_view text,
                            const CompileOptions& options) {
  absl::Status error = Expand(ParseSource(text), options).error;
  EXPECT_FALSE(error.ok()) << "expanded, which it should not:\n" << text;
  return error;
}

}  // namespace syncline
