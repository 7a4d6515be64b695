#include "framework/graph/graph_run.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/log_levels.h"
#include "framework/graph/inside_run.h"
#include "framework/graph/left_at_end.h"
#include "framework/graph/output_tap.h"
#include "framework/graph/poller_queue.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/stream/drop_cause.h"
#include "glog/logging.h"

namespace syncline {

// --- Start and end

void GraphRun::Start(const std::shared_ptr<GraphRun>& self) {
  log_internal::ReadGlogFlags();
  for (const std::shared_ptr<PollerQueue>& poller : pollers_) {
    poller->SetListener(self);
    poller->SetWarningSize(plan_.settings().queue_warning_size);
  }
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->StartRun();
  {
    MutexLock lock(&wait_point_->mutex);
    phase_ = Phase::kRunning;
    is_running_.store(true);
    open_inputs_ = static_cast<int>(inputs_.size());
  }
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
  ApplicationCall call(this);
  StartGates(self);
  StartAlarms();
  for (const auto& [name, packet] : given_side_packets_) {
    const int id = plan_.FindSidePacket(name);
    if (id < 0) continue;
    MutexLock lock(&side_mutex_);
    side_packets_[id] = packet;
  }
  // A node can open when the side packets that nodes make are there; those that
  // nobody gave are optional.
  for (const Node::Placed& node : nodes_) {
    int missing = 0;
    for (const int id : node->plan().input_side_packets) {
      if (plan_.side_packets()[id].producer.node >= 0) ++missing;
    }
    node->Start(missing, &call.turn);
  }
  for (const PlanGraphInput& input : plan_.graph_inputs()) {
    const auto header = stream_headers_.find(input.name);
    for (const PortRef& reader : plan_.streams()[input.stream].consumers) {
      nodes_[reader.node]->HeaderArrived(
          reader.port,
          header == stream_headers_.end() ? Packet() : header->second,
          &call.turn);
    }
  }
  FinishTurn(&call.turn);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Resume();
}

void GraphRun::FailToStart(const absl::Status& error) {
  {
    MutexLock lock(&wait_point_->mutex);
    if (phase_ == Phase::kPreparing) phase_ = Phase::kRunning;
    is_running_.store(true);
  }
  RecordError(error);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Resume();
}

absl::Status GraphRun::CleanUp() {
  const InsideRun inside(this);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
    queue->Shutdown();
  }
  timers_.Stop();
  alarms_.Stop();
  const auto combined = [&] {
    return CatchExceptions([&] { return errors_.Combined(""); });
  };
  const absl::Status so_far = combined();
  const bool has_failed = !so_far.ok() && !ended_by_packets_left_.load();
  const DropCause cause =
      has_failed ? DropCause::kRunFailed : DropCause::kAtEnd;
  std::vector<std::string> reports;
  const auto close = [&](Node* node) {
    if (!node->StartClose(/*is_end_of_run=*/true)) return;
    node->NoteAllUnprocessed(cause);
    Invocation* const invocation = node->first_invocation();
    CalculatorContext* const context = invocation->sets[0].context;
    context->EndCall();
    context->SetGraphStatus(so_far);
    // The run is over: what Close sends, and what it returns, reaches nobody.
    const absl::Status ignored = node->Close(invocation);
    if (!ignored.ok()) VLOG(1) << "After the end of the run: " << ignored;
    if (so_far.ok()) ReportSentInVain(*node, *context, &reports);
    context->EndCall();
  };
  absl::Status cleaned;
  for (const Node::Placed& node : nodes_) {
    cleaned.Update(CatchExceptions([&] {
      close(node.get());
      return absl::OkStatus();
    }));
  }
  StopConditions();
  if (so_far.ok()) WarnOfPacketsLeft(GetLeftAtEnd(), std::move(reports));
  for (const Node::Placed& node : nodes_) node->Destroy(cause);
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->EndRun();
  MutexLock lock(&wait_point_->mutex);
  phase_ = Phase::kCleaned;
  if (has_failed) left_at_end_.clear();
  absl::Status status = combined();
  return status.ok() ? cleaned : status;
}

bool GraphRun::ClaimEnd() {
  MutexLock lock(&wait_point_->mutex);
  return !std::exchange(end_is_claimed_, true);
}

absl::Status GraphRun::SetResult(absl::Status result) {
  MutexLock lock(&wait_point_->mutex);
  result_ = std::move(result);
  wait_point_->Signal();
  return *result_;
}

absl::Status GraphRun::WaitForResult() {
  absl::Status result;
  wait_point_->Wait([&] {
    wait_point_->mutex.AssertHeld();
    if (result_.has_value()) result = *result_;
    return result_.has_value();
  });
  return result;
}

bool GraphRun::IsFinished() const {
  MutexLock lock(&wait_point_->mutex);
  return phase_ >= Phase::kFinished;
}

// --- Waiting

void GraphRun::WaitUntilFinished() {
  wait_point_->Wait([this] {
    wait_point_->mutex.AssertHeld();
    return phase_ >= Phase::kFinished;
  });
}

void GraphRun::WaitUntilIdle() {
  {
    MutexLock lock(&wait_point_->mutex);
    ++waiting_for_idle_;
  }
  wait_point_->Wait([this] {
    wait_point_->mutex.AssertHeld();
    return phase_ >= Phase::kFinished || activity_.settled();
  });
  MutexLock lock(&wait_point_->mutex);
  --waiting_for_idle_;
}

absl::Status GraphRun::WaitForObservedOutput() {
  const bool has_output = observed_.Wait([this] {
    wait_point_->mutex.AssertHeld();
    return phase_ >= Phase::kFinished;
  });
  if (has_output) return absl::OkStatus();
  return absl::OutOfRangeError("The run of the graph is over.");
}

// --- Ending and pausing

void GraphRun::RecordError(const absl::Status& error) {
  ApplicationCall call(this);
  const bool is_first = errors_.Add(error);
  TellOfError(error);
  if (is_first) WakeForError();
}

void GraphRun::TellOfError(const absl::Status& error) {
  if (!error_callback_) return;
  const absl::Status status = CallUserCode([&] {
    error_callback_(error);
    return absl::OkStatus();
  });
  if (!status.ok()) LOG(ERROR) << "The error callback failed: " << status;
}

void GraphRun::WakeForError() {
  EndPause();
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->EndRun();
  MutexLock lock(&wait_point_->mutex);
  wait_point_->Signal();
}

void GraphRun::Cancel() {
  const absl::Status error = absl::CancelledError("The graph was cancelled.");
  ApplicationCall call(this);
  // An error callback may cancel, and is told of this.
  if (!errors_.AddCancelled(error)) return;
  TellOfError(error);
  WakeForError();
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
    queue->TakeAll();
    queue->Resume();
  }
}

void GraphRun::Pause() {
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Pause();
  // After that: who ends a pause meanwhile would leave queues that are paused
  // behind, with nobody to know of them.
  is_paused_.store(true);
  // Whoever met an error may just have looked. A run that only has to end is
  // not kept from it.
  if (!has_error()) return;
  ApplicationCall call(this);
  EndPause();
}

void GraphRun::EndPause() {
  if (!is_paused_.exchange(false)) return;
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
    queue->TakeAll();
    queue->Resume();
  }
}

void GraphRun::Resume() {
  is_paused_.store(false);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Resume();
}

void GraphRun::OnTaskLost(SchedulerQueue* queue) {
  RecordError(CatchExceptions([] {
    return absl::InternalError(
        "An executor dropped a task: it destroyed a function that it was given "
        "with Schedule() without having called it.");
  }));
  ApplicationCall call(this);
  queue->TakeAll();
}

void GraphRun::OnExecutorError(const absl::Status& error) {
  RecordError(CatchExceptions(
      [&] { return PrefixStatus("An executor failed: ", error); }));
}

}  // namespace syncline
