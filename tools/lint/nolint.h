// ApplyNolint: takes out the findings that comments in the graph's text
// silence.
//
//   # NOLINTFILE(unread-output)          the whole file
//   # NOLINTNEXTLINE(unequal-rates)      a node that begins on the next line
//   node {  # NOLINT(unsettled-join)     this node; also in lines inside it,
//     calculator: "JoinCalculator"       and after its last brace
//     # NOLINT                           all rules, at this node
//   }
//
// Several names stand in one pair of brackets, with commas. A finding about a
// node inside a subgraph belongs to the subgraph's node in this text. What a
// comment says in vain is a finding itself, with the rule "unused-nolint":
// a rule that there is not, or one that finds nothing there.
//
// Thread rule: pure functions.
// Tested by nolint_test.

#ifndef SYNCLINE_TOOLS_LINT_NOLINT_H_
#define SYNCLINE_TOOLS_LINT_NOLINT_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "tools/lint/lint_finding.h"

namespace syncline {

// `text` is that of the graph, and `file` what its locations call it. The
// findings that are left keep their order; those about comments follow them.
std::vector<LintFinding> ApplyNolint(std::vector<LintFinding> findings,
                                     absl::string_view text,
                                     absl::string_view file);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_NOLINT_H_
