// Source nodes: when they open, start, go on, wait for room, and stop.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/graph/graph_run.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/task.h"

namespace syncline {
namespace {

// Of a source that stays the first of its layer, before others have a turn.
constexpr int kMostCallsInPlace = 4;

}  // namespace

void GraphRun::SourceOpened(const Node& node) {
  MutexLock lock(&wait_point_->mutex);
  source_states_[node.plan().source] = SourceState::kPending;
}

void GraphRun::SourceClosed(const Node& node) {
  bool is_last = false;
  {
    MutexLock lock(&wait_point_->mutex);
    const SourceState before =
        std::exchange(source_states_[node.plan().source], SourceState::kClosed);
    is_last =
        (before == SourceState::kUnopened || before == SourceState::kPending) &&
        --unstarted_sources_ == 0;
  }
  if (is_last) holds_.AllSourcesStarted();
}

void GraphRun::StartSources() {
  std::vector<Node*> started;
  bool is_last_layer = false;
  {
    MutexLock lock(&wait_point_->mutex);
    int layer = std::numeric_limits<int>::max();
    for (size_t i = 0; i < source_states_.size(); ++i) {
      if (source_states_[i] != SourceState::kPending) continue;
      const PlanNode& node = plan_.nodes()[plan_.sources()[i].node];
      layer = std::min(layer, node.source_layer);
    }
    for (size_t i = 0; i < source_states_.size(); ++i) {
      if (source_states_[i] != SourceState::kPending) continue;
      Node* const node = nodes_[plan_.sources()[i].node].get();
      if (node->plan().source_layer != layer) continue;
      source_states_[i] = SourceState::kActive;
      --unstarted_sources_;
      started.push_back(node);
    }
    is_last_layer = unstarted_sources_ == 0;
  }
  if (is_last_layer) holds_.AllSourcesStarted();
  Turn turn;
  for (Node* const node : started) ContinueSource(node, &turn);
  FinishTurn(&turn);
}

void GraphRun::ContinueSource(Node* node, Turn* turn) {
  if (!stopping_.load() && backpressure_.ParkIfPaused(node->plan().source)) {
    // Whoever stops the sources may just have looked for parked ones.
    if (!stopping_.load()) return;
    for (const int source : backpressure_.UnparkAll()) {
      ReadySource(nodes_[plan_.sources()[source].node].get(), turn);
    }
    return;
  }
  CallSource(node, turn);
}

void GraphRun::CallSource(Node* node, Turn* turn) {
  // One that is to be closed asks nobody.
  if (node->conditions() != nullptr && !stopping_.load()) {
    node->AskForSource(turn);
  } else {
    ReadySource(node, turn);
  }
}

void GraphRun::ReadySource(Node* node, Turn* turn) {
  Invocation* const invocation = node->first_invocation();
  const PlanNode& plan = node->plan();
  std::int64_t order = 0;
  if (plan_.sources().size() > 1) {
    const absl::Status status = CallUserCode([&] {
      order = node->calculator()
                  ->SourceProcessOrder(invocation->sets[0].context)
                  .Value();
      return absl::OkStatus();
    });
    if (!status.ok()) {
      return turn->errors.push_back(PrefixStatus(
          absl::StrCat("Calculator::SourceProcessOrder() for node \"",
                       plan.name, "\" failed: "),
          status));
    }
  }
  const TaskPriority priority =
      TaskPriority::ForSource(plan.source_layer, order, plan.id);
  const bool keeps_its_place = invocation->priority == priority;
  invocation->priority = priority;
  // One that sends nothing would be called again and again before all others.
  int& calls = calls_in_place_[plan.source];
  calls = keeps_its_place && plan_.sources().size() > 1 ? calls + 1 : 0;
  if (ABSL_PREDICT_TRUE(calls < kMostCallsInPlace)) {
    return turn->ready.push_back(invocation);
  }
  calls = 0;
  if (!has_error()) queues_[plan.executor]->AddAndGiveWay(invocation);
}

void GraphRun::Resumed(absl::Span<const int> sources, Turn* turn) {
  bool has_input = false;
  for (const int source : sources) {
    const int node = plan_.sources()[source].node;
    if (node >= 0) {
      CallSource(nodes_[node].get(), turn);
    } else {
      has_input = true;
    }
  }
  if (!has_input) return;
  MutexLock lock(&wait_point_->mutex);
  wait_point_->Signal();
}

void GraphRun::StopSources(Turn* turn) {
  if (stopping_.exchange(true)) return;
  for (const int source : backpressure_.UnparkAll()) {
    ReadySource(nodes_[plan_.sources()[source].node].get(), turn);
  }
  for (Node* const node : gated_nodes_) {
    if (node->is_source()) node->ReleaseSource(turn);
  }
}

}  // namespace syncline
