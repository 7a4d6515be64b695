// The rules of LintGraph. The top of each .cc file says what its rules find,
// and by which evidence.
//
// Internal to this folder.
//
// Thread rule: free functions. A rule changes only the findings that it is
// given.
// Tested by the test of each rule.

#ifndef SYNCLINE_TOOLS_LINT_RULES_H_
#define SYNCLINE_TOOLS_LINT_RULES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/plan/graph_plan.h"
#include "tools/lint/needed_conditions.h"
#include "tools/lint/stream_facts.h"

namespace syncline {

// A finding about a node; it has no place yet.
struct NodeFinding {
  int node = -1;
  absl::string_view rule;
  std::string problem;
  std::string remedy;
};

// What the rules look at. All members are borrowed.
struct LintSubject {
  const GraphPlan& plan;
  // By node.
  const std::vector<NeededConditions>& conditions;
  const StreamFacts& facts;
};

inline constexpr absl::string_view kBackEdgeWithoutStart =
    "back-edge-without-start";
inline constexpr absl::string_view kConditionNeverMet = "condition-never-met";
inline constexpr absl::string_view kQueueLimitBelowNeed =
    "queue-limit-below-need";
inline constexpr absl::string_view kUnequalRates = "unequal-rates";
inline constexpr absl::string_view kUnreadOutput = "unread-output";
inline constexpr absl::string_view kUnsettledJoin = "unsettled-join";
inline constexpr absl::string_view kUnsettledLoop = "unsettled-loop";
inline constexpr absl::string_view kUnusedNolint = "unused-nolint";

// The remedy of a rule that finds a silent node. `instead`: what else helps, as
// a whole sentence, or "".
std::string LetItPromise(const GraphPlan& plan, const PlanNode& node,
                         absl::string_view instead, absl::string_view rule);

void FindBackEdgesWithoutStart(const LintSubject& subject,
                               std::vector<NodeFinding>* findings);
void FindConditionsNeverMet(const LintSubject& subject,
                            std::vector<NodeFinding>* findings);
void FindQueueLimitsBelowNeed(const LintSubject& subject,
                              std::vector<NodeFinding>* findings);
void FindUnequalRates(const LintSubject& subject,
                      std::vector<NodeFinding>* findings);
void FindUnreadOutputs(const LintSubject& subject,
                       std::vector<NodeFinding>* findings);
void FindUnsettledJoins(const LintSubject& subject,
                        std::vector<NodeFinding>* findings);
void FindUnsettledLoops(const LintSubject& subject,
                        std::vector<NodeFinding>* findings);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_RULES_H_
