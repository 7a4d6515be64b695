// Compile: config in, GraphPlan out, or every error found on the way.
//
//   SYNCLINE_ASSIGN_OR_RETURN(GraphSource source, ReadGraphFile("a.pbtxt"));
//   SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(std::move(source)));
//
// The passes run in the order of compile.cc, each a file of its own. A pass
// records what it finds wrong and goes on with what can still be judged, so one
// call reports all errors. Each names the node (name and type) and the stream,
// starts with "file:line" when the config came from text, and offers the
// nearest known names for an unknown one. The text begins with
// "ValidatedGraphConfig Initialization failed."; the code is the code that all
// errors share, or UNKNOWN.
//
// Time and memory are linear in the expanded config (the topological sort, run
// only when needed, adds a logarithm), whatever the config says.
//
// Thread rule: Compile is a pure function of its arguments and the registries;
// any number of calls may run at once. GetContract and GetConfig of user
// classes run on the calling thread; what they throw becomes a status. Memory
// may run out in any call, and the next call finds everything whole. For this,
// what Protobuf builds for reflection is built when the program starts (for
// options from a plug-in, when they are first used).

#ifndef SYNCLINE_FRAMEWORK_PLAN_COMPILE_H_
#define SYNCLINE_FRAMEWORK_PLAN_COMPILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/compile_options.h"  // IWYU pragma: export
#include "framework/graph_text/graph_source.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// Pass a temporary to avoid the one copy of the config.
absl::StatusOr<GraphPlan> Compile(GraphSource source,
                                  const CompileOptions& options = {});
absl::StatusOr<GraphPlan> Compile(CalculatorGraphConfig config,
                                  const CompileOptions& options = {});

// Several configs: each with a `type` is a subgraph that the others may use and
// that shadows a registered one. `options.graph_type` selects the root, which
// may also be a registered subgraph.
absl::StatusOr<GraphPlan> Compile(std::vector<GraphSource> sources,
                                  const CompileOptions& options = {});

// The same with templates among them, by the `type` of their configs. The
// arguments of one that is the graph are in `options.graph_options`.
absl::StatusOr<GraphPlan> Compile(
    std::vector<GraphSource> sources,
    const std::vector<CalculatorGraphTemplate>& templates,
    const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_COMPILE_H_
