// Sources, and what a run does when nothing runs.

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/idle_decision.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/node_names.h"
#include "framework/scheduler/task.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// One warning for so many raised limits.
constexpr int kRaisesPerWarning = 100;

}  // namespace

// --- Idle

void GraphRun::OnIdle() {
  for (;;) {
    IdleAction action;
    {
      MutexLock lock(&wait_point_->mutex);
      const std::uint64_t period = activity_.period();
      if (activity_.busy() || phase_ != Phase::kRunning) return;
      action = DecideWhenIdle(Facts());
      if (action == IdleAction::kFinish) {
        // An application call counts itself first and asks then whether the run
        // goes on; this is the other half of that.
        is_running_.store(false);
        if (activity_.busy()) {
          is_running_.store(true);
          return;
        }
        phase_ = Phase::kFinished;
      }
      if (action == IdleAction::kWait) activity_.SetSettled(period);
      if (action == IdleAction::kFinish || action == IdleAction::kWait) {
        wait_point_->Signal();
        return;
      }
      activity_.Add();
    }
    switch (action) {
      case IdleAction::kStartSources:
        StartSources();
        break;
      case IdleAction::kRelieve:
        RelieveFullQueues();
        break;
      case IdleAction::kDeadlock:
        RecordError(absl::UnknownError(
            "Detected a deadlock: sources of a higher source_layer wait for "
            "one of a lower layer, which cannot open because it waits for "
            "them. Change source_layer, or what its side packets or headers "
            "come from."));
        break;
      case IdleAction::kWait:
      case IdleAction::kFinish:
        break;
    }
    if (!activity_.Remove()) return;
  }
}

IdleFacts GraphRun::Facts() {
  IdleFacts facts;
  facts.has_error = has_error();
  facts.has_open_inputs = open_inputs_ > 0;
  constexpr int kNone = std::numeric_limits<int>::max();
  int lowest_pending = kNone;
  int lowest_unopened = kNone;
  for (size_t i = 0; i < source_states_.size(); ++i) {
    const PlanSource& source = plan_.sources()[i];
    if (source.node < 0) {
      if (facts.has_open_inputs && backpressure_.IsPaused(static_cast<int>(i)))
        facts.has_full_input = true;
      continue;
    }
    const int layer = plan_.nodes()[source.node].source_layer;
    switch (source_states_[i]) {
      case SourceState::kUnopened:
        lowest_unopened = std::min(lowest_unopened, layer);
        break;
      case SourceState::kPending:
        ++facts.pending_sources;
        lowest_pending = std::min(lowest_pending, layer);
        break;
      case SourceState::kActive:
        ++facts.active_sources;
        break;
      case SourceState::kClosed:
        break;
    }
  }
  facts.lower_layer_is_unopened = lowest_unopened < lowest_pending;
  facts.has_full_queue = full_node_queues_.load() > 0;
  return facts;
}

// --- Sources

void GraphRun::SourceOpened(const Node& node) {
  MutexLock lock(&wait_point_->mutex);
  source_states_[node.plan().source] = SourceState::kPending;
}

void GraphRun::SourceClosed(const Node& node) {
  MutexLock lock(&wait_point_->mutex);
  source_states_[node.plan().source] = SourceState::kClosed;
}

void GraphRun::StartSources() {
  std::vector<Node*> started;
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
      started.push_back(node);
    }
  }
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
  ReadySource(node, turn);
}

void GraphRun::ReadySource(Node* node, Turn* turn) {
  Invocation* const invocation = node->first_invocation();
  const PlanNode& plan = node->plan();
  std::int64_t order = 0;
  if (plan_.sources().size() > 1) {
    const absl::Status status = CallUserCode([&] {
      order = node->calculator()
                  ->SourceProcessOrder(invocation->sets[0].context.get())
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
  invocation->priority =
      TaskPriority::ForSource(plan.source_layer, order, plan.id);
  turn->ready.push_back(invocation);
}

void GraphRun::Resumed(absl::Span<const int> sources, Turn* turn) {
  bool has_input = false;
  for (const int source : sources) {
    const int node = plan_.sources()[source].node;
    if (node >= 0) {
      ReadySource(nodes_[node].get(), turn);
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
}

// --- Relief

bool GraphRun::RelieveFullQueues() {
  activity_.Add();
  bool raised = false;
  const int ceiling = plan_.settings().max_queue_size_ceiling;
  std::vector<std::string> stuck;
  Turn turn;
  for (const std::unique_ptr<Node>& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
      const NodeSnapshot::Input& input = snapshot.inputs[port];
      if (!input.is_full) continue;
      if (plan_.settings().report_deadlock) {
        stuck.push_back(StallReport(node->plan().id, snapshot));
        break;
      }
      if (node->RaiseLimit(static_cast<int>(port),
                           std::max(ceiling, input.limit), &turn)) {
        raised = true;
      } else {
        stuck.push_back(StallReport(node->plan().id, snapshot));
        break;
      }
    }
  }
  if (!raised || plan_.settings().report_deadlock) {
    for (const std::string& report : stuck) {
      turn.errors.push_back(absl::UnavailableError(DeadlockReport(report)));
    }
  }
  std::int64_t count = 0;
  {
    MutexLock lock(&wait_point_->mutex);
    if (raised) count = ++relieved_;
  }
  if (count % kRaisesPerWarning == 1) {
    LOG(WARNING) << "Resolved a deadlock by increasing max_queue_size of input "
                    "streams (time "
                 << count << " in this run). What waits for what:\n"
                 << Explain();
  }
  FinishTurn(&turn);
  if (activity_.Remove()) OnIdle();
  return raised;
}

std::string GraphRun::DeadlockReport(const std::string& stall) const {
  const PlanSettings& settings = plan_.settings();
  return absl::StrCat(
      "Detected a deadlock due to input throttling",
      settings.report_deadlock
          ? ""
          : absl::StrCat(", and queues have reached their ceiling of ",
                         settings.max_queue_size_ceiling,
                         " packets, or of ten times their bytes"),
      ". ", stall,
      " Feed that stream or move its bound; or give the queue room with "
      "max_queue_size or max_queue_bytes",
      settings.report_deadlock
          ? ", or let it grow with report_deadlock: false."
          : ", or a higher ceiling with max_queue_size_ceiling.");
}

// --- Looking in

std::string GraphRun::StallReport(int node,
                                  const NodeSnapshot& snapshot) const {
  const PlanNode& plan = plan_.nodes()[node];
  Timestamp earliest = Timestamp::Done();
  std::vector<std::string> waiting;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size == 0) continue;
    earliest = std::min(earliest, input.min_timestamp_or_bound);
    const PlanStream& stream = plan_.streams()[plan.inputs[port].stream];
    waiting.push_back(absl::StrCat(
        "\"", stream.name, "\" (", input.queue_size,
        input.queue_size == 1 ? " packet" : " packets",
        input.bytes < 0 ? "" : absl::StrCat(", ", input.bytes, " bytes"),
        input.is_full ? ", full)" : ")"));
  }
  std::string report =
      absl::StrCat("The ", NodeLabel(*plan.config), " holds packets of ",
                   absl::StrJoin(waiting, ", "));
  std::vector<std::string> missing;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size > 0 || input.bound > earliest) continue;
    const PlanStream& stream = plan_.streams()[plan.inputs[port].stream];
    const int producer = stream.producer.node;
    missing.push_back(absl::StrCat(
        "\"", stream.name, "\", whose bound is ", input.bound.DebugString(),
        ", to pass ", earliest.DebugString(), "; it comes from ",
        producer < 0 ? "the application"
                     : NodeLabel(*plan_.nodes()[producer].config)));
  }
  if (!missing.empty()) {
    absl::StrAppend(&report, " and waits for stream ",
                    absl::StrJoin(missing, ", and for stream "), ".");
  } else if (snapshot.state == NodeState::kWaiting) {
    absl::StrAppend(&report, " and is not open: ", snapshot.missing_to_open,
                    " side packets or headers are missing.");
  } else if (snapshot.calls_in_flight > 0) {
    absl::StrAppend(&report, " and is being called.");
  } else {
    absl::StrAppend(&report, ".");
  }
  return report;
}

std::string GraphRun::Explain() const {
  std::string text;
  const std::vector<NodeSnapshot> snapshots = Snapshot();
  for (size_t node = 0; node < snapshots.size(); ++node) {
    const bool holds_packets = std::any_of(
        snapshots[node].inputs.begin(), snapshots[node].inputs.end(),
        [](const NodeSnapshot::Input& input) { return input.queue_size > 0; });
    if (!holds_packets) continue;
    absl::StrAppend(&text, StallReport(static_cast<int>(node), snapshots[node]),
                    "\n");
  }
  return text.empty() ? "No node holds packets.\n" : text;
}

}  // namespace syncline
