// What a run does when nothing runs: it starts sources, gives full queues room,
// waits, or ends.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/idle_decision.h"
#include "framework/graph/inside_run.h"
#include "framework/graph/quiet_time.h"
#include "framework/graph/run_reports.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/scheduler_queue.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Limits are raised by one at a time, again and again: the first is warned of,
// the tenth, the hundredth ...
bool IsWarnedOf(std::int64_t raise) {
  while (raise % 10 == 0) raise /= 10;
  return raise == 1;
}

}  // namespace

void GraphRun::OnIdle() {
  const InsideRun inside(this);
  for (;;) {
    bool is_acting = false;
    const absl::Status status = CatchExceptions([&] {
      OnIdleUnguarded(&is_acting);
      return absl::OkStatus();
    });
    if (ABSL_PREDICT_TRUE(status.ok())) return;
    // Somebody has to decide all the same.
    if (!is_acting) activity_.Add();
    RecordError(status);
    if (!activity_.Remove()) return;
  }
}

void GraphRun::OnIdleUnguarded(bool* is_acting) {
  // Limits could not be raised, and nobody else was here since, if this is
  // still the period.
  absl::optional<std::uint64_t> ceiling_period;
  // The same for what no call can take.
  absl::optional<std::uint64_t> left_period;
  Left left;
  // When to come again, should nobody else come.
  absl::optional<std::int64_t> ask_at_ns;
  for (;;) {
    IdleAction action;
    bool warns = false;
    bool looks = false;
    IdleFacts facts;
    // Whoever ends the last of them, or errs, comes here afterwards.
    if (holds_.KeepRunBusy() && !has_error()) return;
    // Without the lock; so what they say holds only if nobody was here since.
    const std::uint64_t seen_period = activity_.period();
    sources_.AddFacts(&facts);
    if (!has_error()) AddHolds(&facts);
    facts.at_ceiling = ceiling_period == seen_period;
    facts.has_packets_left = left_period == seen_period && !left.error.ok();
    {
      MutexLock lock(&wait_point_->mutex);
      const std::uint64_t period = activity_.period();
      if (activity_.busy() || phase_ != Phase::kRunning) return;
      // Whoever was comes here too.
      if (period != seen_period) return;
      AddFacts(&facts);
      action = DecideWhenIdle(facts);
      if (action == IdleAction::kFinish && facts.is_held && !facts.has_error) {
        const QuietTime::Verdict verdict =
            quiet_time_.Look(period, SteadyNowNs());
        if (!verdict.ends) action = IdleAction::kWait;
        ask_at_ns = verdict.ask_at_ns;
      }
      looks = action == IdleAction::kFinish && !facts.has_error &&
              left_period != period;
      if (action == IdleAction::kFinish && !looks) {
        // An application call counts itself first and asks then whether the run
        // goes on; this is the other half of that.
        is_running_.store(false);
        if (activity_.busy()) {
          is_running_.store(true);
          return;
        }
        phase_ = Phase::kFinished;
        if (!facts.has_error) left_at_end_ = std::move(left.nodes);
      }
      warns = action == IdleAction::kWait && facts.at_ceiling &&
              !std::exchange(has_warned_of_stall_, true);
      // A run that holds will keep busy is not idle before that either.
      if (action == IdleAction::kWait && !warns && !holds_.any()) {
        activity_.SetSettled(period);
      }
      if (!warns && !looks &&
          (action == IdleAction::kFinish || action == IdleAction::kWait)) {
        // Others who wait are told of what they wait for.
        if (action == IdleAction::kFinish || waiting_for_idle_ > 0) {
          wait_point_->Signal();
        }
        break;
      }
      if (!looks) {
        activity_.Add();
        *is_acting = true;
      }
    }
    if (looks) {
      // Nobody is here, so nothing changes; should somebody come all the same,
      // this is another period, in which they decide.
      left = FindLeft();
      left_period = seen_period;
      continue;
    }
    if (warns) LOG(WARNING) << StallWarning(Explain());
    switch (action) {
      case IdleAction::kStartSources:
        StartSources();
        break;
      case IdleAction::kAdvanceClock:
        AdvanceClock();
        break;
      case IdleAction::kRelieve:
        if (!RaiseFullLimitsHere()) ceiling_period = seen_period + 1;
        break;
      case IdleAction::kStalled:
        ReportStall();
        break;
      case IdleAction::kDeadlock:
        RecordError(absl::UnknownError(
            "Detected a deadlock: sources of a higher source_layer wait for "
            "one of a lower layer, which cannot open because it waits for "
            "them. Change source_layer, or what its side packets or headers "
            "come from."));
        break;
      case IdleAction::kPacketsLeft:
        ActOnPacketsLeft(std::move(left));
        break;
      case IdleAction::kHeld:
        RecordError(absl::UnavailableError(absl::StrCat(
            "Detected a deadlock: nodes wait for conditions that nothing can "
            "change any more, and no source runs nor is an input open.\n",
            Explain())));
        break;
      case IdleAction::kWait:
      case IdleAction::kFinish:
        break;
    }
    *is_acting = false;
    if (!activity_.Remove()) return;
  }
  if (ask_at_ns.has_value()) LookAtDeadlockAt(*ask_at_ns);
}

void GraphRun::AddFacts(IdleFacts* facts) const {
  facts->has_error = has_error();
  facts->has_open_inputs = open_inputs_ > 0;
  facts->has_full_input = facts->has_full_input && facts->has_open_inputs;
  facts->reports_deadlock = plan_.settings().report_deadlock;
}

bool GraphRun::RelieveFullQueues() {
  // An application may ask at any time. A run that is over starts no source,
  // and in one that goes on a full queue is no deadlock: that is seen when it
  // idles.
  ApplicationCall call(this);
  return call.is_running() && RaiseFullLimits(&call.turn);
}

bool GraphRun::RaiseFullLimitsHere() {
  Turn turn;
  const bool raised = RaiseFullLimits(&turn);
  FinishTurn(&turn);
  return raised;
}

bool GraphRun::RaiseFullLimits(Turn* turn) {
  if (plan_.settings().report_deadlock) return false;
  bool raised = false;
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
      const NodeSnapshot::Input& input = snapshot.inputs[port];
      if (!input.is_full) continue;
      const int ceiling =
          std::max(plan_.settings().max_queue_size_ceiling, input.limit);
      raised |= node->RaiseLimit(static_cast<int>(port), ceiling, turn);
    }
  }
  raised |= RaiseShortRooms(turn);
  if (!raised) return false;
  std::int64_t count = 0;
  {
    MutexLock lock(&wait_point_->mutex);
    count = ++relieved_;
  }
  if (IsWarnedOf(count)) {
    LOG(WARNING) << "Resolved a deadlock by increasing max_queue_size of input "
                    "streams (time "
                 << count
                 << " in this run; said again at each tenfold). What waits for "
                    "what:\n"
                 << Explain();
  }
  return true;
}

void GraphRun::ReportStall() {
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    const bool is_full =
        std::any_of(snapshot.inputs.begin(), snapshot.inputs.end(),
                    [](const NodeSnapshot::Input& in) { return in.is_full; });
    if (!is_full) continue;
    RecordError(absl::UnavailableError(
        DeadlockReport(plan_, snapshot, Stall(node->plan().id, snapshot))));
  }
  // No queue of a node is full: nodes may wait for more room than there is.
  // Where none does, a poller is full, which the application may read.
  if (has_error()) return;
  const std::string report = RoomReport(plan_, FindShortRooms(), Explain());
  if (!report.empty()) RecordError(absl::UnavailableError(report));
}

}  // namespace syncline
