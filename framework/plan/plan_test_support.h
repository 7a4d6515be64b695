// What tests of the plan share: graphs from text, and the text of errors.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_PLAN_PLAN_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_PLAN_PLAN_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/expansion/compile_options.h"
#include "framework/graph_text/test_graphs.h"  // IWYU pragma: export
#include "framework/plan/graph_plan.h"

namespace syncline {

// Compiles without logging warnings, and without positions.
absl::StatusOr<GraphPlan> CompileText(absl::string_view text,
                                      CompileOptions options = {});

// A plan that must compile: a fatal failure prints the errors otherwise.
GraphPlan PlanOf(absl::string_view text, CompileOptions options = {});

// The error of a graph that must not compile; "OK" and a test failure when it
// does.
absl::Status ErrorOf(absl::string_view text, CompileOptions options = {});
// The same with positions in "graph.pbtxt".
absl::Status ErrorWithLinesOf(absl::string_view text,
                              CompileOptions options = {});

// Canonical names of the nodes in id order.
std::vector<std::string> NodeNames(const GraphPlan& plan);

// The node, stream and executor with a name, which must exist.
const PlanNode& NodeNamed(const GraphPlan& plan, absl::string_view name);
const PlanStream& StreamNamed(const GraphPlan& plan, absl::string_view name);
const PlanExecutor& ExecutorNamed(const GraphPlan& plan,
                                  absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_PLAN_TEST_SUPPORT_H_
