// Source nodes: when they open, start, go on, wait for room, and stop.

#include <cstdint>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/scheduler/task.h"

namespace syncline {

void GraphRun::SourceClosed(const Node& node) {
  sources_.NoteClosed(node.plan().sources.position);
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
}

void GraphRun::StartSources() {
  const std::vector<int> started = sources_.StartNextLayer();
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
  Effects effects;
  for (const int source : started) ContinueSource(SourceNode(source), &effects);
  ActOnAll(&effects);
}

void GraphRun::ContinueSource(Node* node, Effects* effects) {
  const int position = node->plan().sources.position;
  if (ABSL_PREDICT_TRUE(!sources_.IsPaused(position))) {
    return CallSource(node, effects);
  }
  std::vector<int> released;
  if (!sources_.ParkIfPaused(position, &released)) {
    return CallSource(node, effects);
  }
  for (const int source : released) ReadySource(SourceNode(source), effects);
}

void GraphRun::CallSource(Node* node, Effects* effects) {
  // One that is to be closed asks nobody.
  if (node->conditions() != nullptr && !sources_.is_stopping()) {
    node->AskForSource(effects);
  } else {
    ReadySource(node, effects);
  }
}

void GraphRun::ReadySource(Node* node, Effects* effects) {
  Invocation* const invocation = node->first_invocation();
  const PlanNode& plan = node->plan();
  std::int64_t order = 0;
  if (setup_.plan->sources().size() > 1) {
    const absl::Status status = CallUserCode([&] {
      order = node->calculator()
                  ->SourceProcessOrder(invocation->sets[0].context)
                  .Value();
      return absl::OkStatus();
    });
    if (!status.ok()) {
      return effects->errors.push_back(PrefixStatus(
          absl::StrCat("Calculator::SourceProcessOrder() for node \"",
                       plan.name, "\" failed: "),
          status));
    }
  }
  const TaskPriority priority =
      TaskPriority::ForSource(plan.sources.layer, order, plan.id);
  const bool keeps_its_place = invocation->priority == priority;
  invocation->priority = priority;
  if (ABSL_PREDICT_TRUE(
          !sources_.GivesWay(plan.sources.position, keeps_its_place))) {
    return effects->ready.push_back(invocation);
  }
  if (!has_error()) queues_[plan.executor]->AddAndGiveWay(invocation);
}

void GraphRun::Resumed(absl::Span<const int> sources, Effects* effects) {
  bool has_input = false;
  for (const int source : sources) {
    if (plan().sources()[source].node >= 0) {
      CallSource(SourceNode(source), effects);
    } else {
      has_input = true;
    }
  }
  if (has_input) life_.Wake();
}

void GraphRun::StopSources(Effects* effects) {
  std::vector<int> released;
  if (!sources_.Stop(&released)) return;
  for (const int source : released) ReadySource(SourceNode(source), effects);
  for (Node* const node : gated_nodes_) {
    if (node->is_source()) node->ReleaseSource(effects);
  }
}

}  // namespace syncline
