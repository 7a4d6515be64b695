// What tests of the lint share: graphs from text, what is found in them, and
// calculators of which a contract says all that a rule looks at. They have any
// number of ports of any tag:
//
//   TestSource      makes packets
//   SilentNode      promises nothing
//   PromisingNode   timestamp offset 0
//   DelayNode       timestamp offset 1
//   BoundsNode      is called for bounds
//
// Thread rule: free functions.

#ifndef SYNCLINE_TOOLS_LINT_LINT_TEST_SUPPORT_H_
#define SYNCLINE_TOOLS_LINT_LINT_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// The test program ends if the text is no good graph. Places are in
// "graph.pbtxt".
GraphPlan LintPlanOf(absl::string_view text);

// What run_graph --check --lint would print.
std::string LintTextOf(absl::string_view text);

// The findings of one rule, each as it would be printed.
std::vector<std::string> FoundBy(absl::string_view rule,
                                 absl::string_view text);

// The only node with this name, and the stream, which must exist.
const PlanNode& LintNode(const GraphPlan& plan, absl::string_view name);
int LintStream(const GraphPlan& plan, absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_LINT_TEST_SUPPORT_H_
