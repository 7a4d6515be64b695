#include "framework/run/run_life.h"

#include <iterator>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/report/left_at_end.h"
#include "framework/run/idle_decision.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/waiters.h"

namespace syncline {

// --- When idle

RunLife::IdleStep RunLife::DecideWhenIdle(IdleView&& view) {
  bool has_changed = false;
  IdleStep step;
  {
    MutexLock lock(&wait_point_->mutex);
    step = Decide(&view, &has_changed);
  }
  if (has_changed) wait_point_->SignalUnlocked();
  return step;
}

RunLife::IdleStep RunLife::Decide(IdleView* view, bool* has_changed) {
  using Next = IdleStep::Next;
  IdleState& state = view->state;
  IdleStep step;
  if (activity_->busy() || !is_running()) return step;
  if (activity_->period() != view->period) return step;
  state.has_open_inputs = open_inputs_ > 0;
  state.has_full_input = state.has_full_input && state.has_open_inputs;
  step.action = syncline::DecideWhenIdle(state);
  if (step.action == IdleAction::kFinish && state.is_held && !state.has_error) {
    const DeadlockTimeout::Verdict verdict =
        deadlock_timeout_.Look(view->period, SteadyNowNs());
    if (!verdict.ends) step.action = IdleAction::kWait;
    step.ask_at_ns = verdict.ask_at_ns;
  }
  switch (step.action) {
    case IdleAction::kFinish:
      if (!state.has_error && view->left == nullptr) {
        step.next = Next::kLookAtLeft;
        return step;
      }
      if (!Finish()) return step;
      if (!state.has_error) left_at_end_ = std::move(*view->left);
      *has_changed = true;
      return step;
    case IdleAction::kWait:
      if (state.at_ceiling && !std::exchange(has_warned_of_stall_, true)) {
        step.next = Next::kWarnOfStall;
        break;
      }
      // A run that will be kept busy by holds is not idle before that either.
      if (!view->has_holds) activity_->SetIdle(view->period);
      // Only threads in WaitUntilIdle wait for this.
      *has_changed = waiting_for_idle_ > 0;
      return step;
    default:
      step.next = Next::kAct;
      break;
  }
  activity_->Add();
  return step;
}

bool RunLife::Finish() {
  phase_.store(Phase::kFinished);
  if (!activity_->busy()) return true;
  phase_.store(Phase::kRunning);
  return false;
}

// --- Waiting

void RunLife::WaitUntilIdle() {
  {
    MutexLock lock(&wait_point_->mutex);
    ++waiting_for_idle_;
  }
  wait_point_->Wait([this] { return has_finished() || activity_->is_idle(); },
                    absl::InfiniteDuration(), {.what = WaitReason::For::kIdle});
  MutexLock lock(&wait_point_->mutex);
  --waiting_for_idle_;
}

// --- What it came to

void RunLife::SetPacketsLeft(std::vector<LeftAtEnd> left, bool is_first_error) {
  MutexLock lock(&wait_point_->mutex);
  left_at_end_ = std::move(left);
  ended_by_packets_left_ = is_first_error;
}

void RunLife::AddSentInVain(std::vector<LeftAtEnd> sent) {
  MutexLock lock(&wait_point_->mutex);
  std::move(sent.begin(), sent.end(), std::back_inserter(left_at_end_));
}

void RunLife::SetResult(const absl::Status& result) {
  MutexLock lock(&wait_point_->mutex);
  result_ = result;
  wait_point_->Signal();
}

absl::Status RunLife::WaitForResult() {
  absl::Status result;
  wait_point_->Wait([&] {
    wait_point_->mutex.AssertHeld();
    if (result_.has_value()) result = *result_;
    return result_.has_value();
  });
  return result;
}

}  // namespace syncline
