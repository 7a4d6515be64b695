// What a run does when no call runs and none is ready: it starts sources, gives
// full queues room, waits, or ends.

#include <cstdint>
#include <string>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_reports.h"
#include "framework/report/standstill.h"
#include "framework/run/graph_run.h"
#include "framework/run/idle_decision.h"
#include "framework/run/inside_run.h"
#include "framework/run/run_life.h"
#include "framework/scheduler/scheduler_queue.h"
#include "glog/logging.h"

namespace syncline {

void GraphRun::OnIdle() {
  const InsideRun inside(this);
  for (;;) {
    bool is_acting = false;
    const absl::Status status =
        CatchExceptions([&] { OnIdleUnguarded(&is_acting); });
    if (ABSL_PREDICT_TRUE(status.ok())) return;
    // The error ends the run, but some thread still has to decide that: this
    // one.
    if (!is_acting) activity_.Add();
    RecordError(status);
    if (!activity_.Remove()) return;
  }
}

void GraphRun::OnIdleUnguarded(bool* is_acting) {
  using Next = RunLife::IdleStep::Next;
  // The period in which no limit could be raised. While it lasts, no other
  // thread was busy.
  absl::optional<std::uint64_t> ceiling_period;
  // The period in which `left` was found.
  absl::optional<std::uint64_t> left_period;
  PacketsLeftVerdict left;
  for (;;) {
    // The thread that ends the last of these holds, or that meets an error,
    // comes here afterwards.
    if (holds_.KeepRunBusy() && !has_error()) return;
    RunLife::IdleView view = LookWhenIdle();
    const std::uint64_t period = view.period;
    view.state.at_ceiling = ceiling_period == period;
    if (left_period == period) {
      view.left = &left.nodes;
      view.state.has_packets_left = !left.error.ok();
    }
    const RunLife::IdleStep step = life_.DecideWhenIdle(std::move(view));
    *is_acting = step.next == Next::kWarnOfStall || step.next == Next::kAct;
    switch (step.next) {
      case Next::kLeave:
        if (step.ask_at_ns.has_value()) {
          SetAlarm(RunAlarms::kDeadlockTimeout, *step.ask_at_ns);
        }
        return;
      case Next::kLookAtLeft:
        // No other thread is busy, so nothing changes meanwhile. If a thread
        // comes all the same, it begins another period and decides in that.
        left = look_.FindLeft(/*may_be_left=*/sources_.is_stopping() ||
                              max_duration_.is_over());
        left_period = period;
        continue;
      case Next::kWarnOfStall:
        LOG(WARNING) << StallWarning(look_.Explain());
        break;
      case Next::kAct:
        if (step.action == IdleAction::kRelieve) {
          Effects effects;
          effects.trace = TraceLaneIfTraced(events());
          if (!RaiseFullLimits(&effects)) ceiling_period = period + 1;
          ActOnAll(&effects);
        } else if (step.action == IdleAction::kPacketsLeft) {
          ActOnPacketsLeft(std::move(left));
        } else {
          ActWhenIdle(step.action);
        }
        break;
    }
    *is_acting = false;
    if (!activity_.Remove()) return;
  }
}

RunLife::IdleView GraphRun::LookWhenIdle() {
  RunLife::IdleView view;
  // The period is read first: the rest is right only if it is still this period
  // later.
  view.period = activity_.period();
  IdleState& state = view.state;
  sources_.AddTo(&state);
  state.has_error = has_error();
  if (!state.has_error) AddHolds(&state);
  state.reports_deadlock = plan().settings().report_deadlock;
  view.has_holds = holds_.any();
  return view;
}

void GraphRun::ActWhenIdle(IdleAction action) {
  switch (action) {
    case IdleAction::kStartSources: {
      Effects effects;
      effects.trace = TraceLaneIfTraced(events());
      StartSources(sources_.StartNextLayer(), &effects);
      return ActOnAll(&effects);
    }
    case IdleAction::kAdvanceClock:
      return AdvanceClock();
    case IdleAction::kStalled:
      return ReportStall();
    case IdleAction::kLayersWaitForEachOther:
      return RecordDeadlock(absl::UnknownError(
          "Detected a deadlock: sources of a higher source_layer wait for one "
          "of a lower layer, which cannot open because it waits for them. "
          "Change source_layer, or what its side packets or headers come "
          "from."));
    case IdleAction::kHeld:
      if (SettleSilentAtEnd()) return;
      return RecordDeadlock(absl::UnavailableError(absl::StrCat(
          "Detected a deadlock: nodes wait for conditions that nothing can "
          "change any more, and no source runs nor is an input open.\n",
          look_.Explain())));
    case IdleAction::kRelieve:
    case IdleAction::kPacketsLeft:
    case IdleAction::kWait:
    case IdleAction::kFinish:
      return;
  }
}

void GraphRun::ReportStall() {
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    if (std::ranges::none_of(snapshot.inputs, &NodeSnapshot::Input::is_full)) {
      continue;
    }
    RecordDeadlock(absl::UnavailableError(DeadlockReport(
        plan(), snapshot, look_.Stall(node->plan().id, snapshot))));
  }
  // If no queue of a node is full, nodes may wait for more room than a queue
  // has. If no node waits for room, the queue of a poller is full. This is no
  // error, because the application may read it.
  if (has_error()) return;
  const std::string report =
      RoomReport(plan(), gated_nodes_.FindShortRooms(), look_.Explain());
  if (!report.empty()) RecordDeadlock(absl::UnavailableError(report));
}

bool GraphRun::SettleSilentAtEnd() {
  Effects effects;
  effects.trace = TraceLaneIfTraced(events());
  bool is_settled = false;
  for (const Node::Placed& node : nodes_) {
    is_settled |= node->SettleSilentAtEnd(&effects);
  }
  ActOnAll(&effects);
  return is_settled;
}

void GraphRun::ActOnPacketsLeft(PacketsLeftVerdict left) {
  if (SettleSilentAtEnd()) return;
  // If the application has ended the run meanwhile, this is not the first
  // error.
  life_.SetPacketsLeft(std::move(left.nodes), /*is_first_error=*/!has_error());
  RecordDeadlock(left.error);
}

void GraphRun::RecordDeadlock(const absl::Status& error) {
  const std::string cause = FindStandstill(plan(), look_.View()).cause;
  RecordError(cause.empty() ? error : PrefixStatus(cause + ".\n", error));
}

}  // namespace syncline
