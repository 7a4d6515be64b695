// Findings of the linter, in the picture of a graph.
//
// Thread rule: a free function.
// Tested by lint_remarks_test.

#ifndef SYNCLINE_TOOLS_LINT_REMARKS_H_
#define SYNCLINE_TOOLS_LINT_REMARKS_H_

#include "absl/types/span.h"
#include "pages/model/graph_picture.h"
#include "tools/lint/lint_finding.h"

namespace syncline {

// Each is a remark at its node, in lines: the rule with the problem, and the
// remedy. The picture is that of the plan in which they were found.
void AddFindings(absl::Span<const LintFinding> findings, GraphPicture* picture);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_REMARKS_H_
