// LintFinding: one sentence about a graph that compiles, and yet is likely to
// stand still, with what to do about it.
//
//   graph.pbtxt:12: warning: "join" joins stream "faces" with ...
//   [unsettled-join]
//     remedy: Let "detector" say how far "faces" has come: ...
//
// Thread rule: plain values.
// Tested by lint_graph_test and lint_text_test.

#ifndef SYNCLINE_TOOLS_LINT_LINT_FINDING_H_
#define SYNCLINE_TOOLS_LINT_LINT_FINDING_H_

#include <string>

namespace syncline {

struct LintFinding {
  // One of LintRules().
  std::string rule;
  // As GraphPlan::Location has it: "file:12" and the chain of subgraphs around
  // the node. Empty where the place is not known, as in a binary graph.
  std::string location;
  // One sentence without an end, which names nodes, streams and ports.
  std::string problem;
  // What to do; whole sentences.
  std::string remedy;
  // The id in the plan of the node that it is about; -1: none.
  int node = -1;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_LINT_FINDING_H_
