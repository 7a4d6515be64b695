// What run_graph --check --lint prints.
//
// Thread rule: free functions.
// Tested by lint_text_test and run_graph_lint_test.

#ifndef SYNCLINE_TOOLS_LINT_LINT_TEXT_H_
#define SYNCLINE_TOOLS_LINT_LINT_TEXT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/graph_plan.h"
#include "tools/lint/lint_finding.h"

namespace syncline {

// Two lines for each finding: `FILE:LINE: warning: PROBLEM [RULE]` and its
// remedy. Nothing in them is a command to a terminal.
std::string FindingsText(absl::Span<const LintFinding> findings);

// The findings about a graph that was read from the file `path`, without those
// that comments in it silence. A binary graph has no comments and no lines: the
// file is the place. An error says why the file cannot be read again.
absl::StatusOr<std::vector<LintFinding>> LintGraphFile(
    const GraphPlan& plan, const GraphSource& source, const std::string& path);

// The rules and what they find, one a line, for --help.
std::string LintRulesHelp();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_LINT_TEXT_H_
