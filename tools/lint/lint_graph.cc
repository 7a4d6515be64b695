#include "tools/lint/lint_graph.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/lint/needed_conditions.h"
#include "tools/lint/rules.h"
#include "tools/lint/stream_facts.h"

namespace syncline {
namespace {

constexpr LintRule kRules[] = {
    {kBackEdgeWithoutStart, "a loop that nothing starts"},
    {kConditionNeverMet, "conditions that never let a node be called"},
    {kQueueLimitBelowNeed, "a queue that is full before a node can go on"},
    {kUnequalRates, "a join of streams that rarely have equal times"},
    {kUnreadOutput, "a node whose outputs nobody reads"},
    {kUnsettledJoin, "a join with an input that may fall silent"},
    {kUnsettledLoop, "a loop that an input without an output stops"},
    {kUnusedNolint, "a NOLINT comment that silences nothing"},
};

}  // namespace

absl::Span<const LintRule> LintRules() { return kRules; }

std::vector<LintFinding> LintGraph(const GraphPlan& plan) {
  const std::vector<NeededConditions> conditions = FindNeededConditions(plan);
  const StreamFacts facts(plan, conditions);
  const LintSubject subject{plan, conditions, facts};

  std::vector<NodeFinding> found;
  FindBackEdgesWithoutStart(subject, &found);
  FindConditionsNeverMet(subject, &found);
  FindQueueLimitsBelowNeed(subject, &found);
  FindUnequalRates(subject, &found);
  FindUnreadOutputs(subject, &found);
  FindUnsettledJoins(subject, &found);
  FindUnsettledLoops(subject, &found);
  absl::c_stable_sort(found, [](const NodeFinding& a, const NodeFinding& b) {
    return a.node < b.node;
  });

  std::vector<LintFinding> findings;
  findings.reserve(found.size());
  for (NodeFinding& one : found) {
    findings.push_back({.rule = std::string(one.rule),
                        .location = plan.Location(one.node),
                        .problem = std::move(one.problem),
                        .remedy = std::move(one.remedy),
                        .node = one.node});
  }
  return findings;
}

}  // namespace syncline
