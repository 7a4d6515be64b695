// The state of a compile for tests of single passes.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_PLAN_STATE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_PLAN_STATE_TEST_SUPPORT_H_

#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/graph_text/test_graphs.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"

namespace syncline {

// The graph is expanded and has its drafts. Positions are in "graph.pbtxt".
inline std::unique_ptr<CompileState> StateOf(absl::string_view text) {
  static const CompileOptions& options = *new CompileOptions();
  ExpandedGraph graph(options, options.SubgraphTypes(), ParseSource(text));
  ExpandSubgraphs(&graph);
  auto state = std::make_unique<CompileState>(std::move(graph));
  LowerLegacy(state.get());
  return state;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_STATE_TEST_SUPPORT_H_
