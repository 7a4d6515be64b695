// LintGraph: looks at a compiled graph for what is likely to stand still when
// it runs.
//
//   for (const LintFinding& finding : LintGraph(plan)) ...
//
// It is the counterpart of FindStandstill (framework/report/run_reports.h),
// which says the same of a run that does stand still. A plan does not say what
// a calculator does in a call, so each rule needs evidence, which the top of
// the rule's file explains. Where a plan says nothing, a rule says nothing.
//
// Thread rule: pure functions. Conditions of the graph are made once more, as
// Compile makes them, on the calling thread.
// Tested by lint_graph_test and the tests of the rules.

#ifndef SYNCLINE_TOOLS_LINT_LINT_GRAPH_H_
#define SYNCLINE_TOOLS_LINT_LINT_GRAPH_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/plan/graph_plan.h"
#include "tools/lint/lint_finding.h"

namespace syncline {

// A rule, by the name that findings and NOLINT comments have.
struct LintRule {
  absl::string_view name;
  // What the rule finds, in a few words.
  absl::string_view finds;
};

// All rules, in the order of their names.
absl::Span<const LintRule> LintRules();

// The findings, in the order of the nodes that they are about; those about one
// node in the order of their rules' names. Linear in the size of the graph.
std::vector<LintFinding> LintGraph(const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_LINT_GRAPH_H_
