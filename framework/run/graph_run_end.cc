// How a run is ended before it has nothing left to do: by an error, by Cancel,
// or by StatusStop of a node. Who is told of errors. What is done after the end
// of a run: nodes that are still open are closed, and what they send is lost.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/status_stop.h"
#include "framework/base/status_text.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/effects.h"
#include "framework/node/inner_queues.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/left_at_end.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/run/graph_run.h"
#include "framework/run/inside_run.h"
#include "framework/run/output_tap.h"
#include "framework/run/run_trace.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/stream/drop_cause.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// The number of packets that a call has sent, by output.
std::vector<size_t> NumbersSent(const CalculatorContext& context) {
  std::vector<size_t> numbers;
  for (const OutputStream& output : context.Outputs()) {
    numbers.push_back(output.packets().size());
  }
  return numbers;
}

bool HasSent(const CalculatorContext& context) {
  return std::any_of(
      context.Outputs().begin(), context.Outputs().end(),
      [](const OutputStream& output) { return !output.packets().empty(); });
}

// `callback`: the application's; may be empty.
void TellOfError(const std::function<void(const absl::Status&)>& callback,
                 const absl::Status& error) {
  if (!callback) return;
  const absl::Status status = CallUserCode([&] { callback(error); });
  if (!status.ok()) LOG(ERROR) << "The error callback failed: " << status;
}

// Packets that a run lost though it has ended well.
void WarnOfPacketsLeft(const std::vector<LeftAtEnd>& left) {
  const std::string warning = PacketsLeftWarning(left);
  if (!warning.empty()) LOG(WARNING) << warning;
}

}  // namespace

// --- Errors and Cancel

void GraphRun::RecordError(const absl::Status& error) {
  ApplicationCall call(this);
  const bool is_first = errors_.Add(error);
  TellOfError(setup_.error_callback, error);
  if (is_first) WakeForError();
}

void GraphRun::WakeForError() {
  queues_.EndPause();
  for (const std::shared_ptr<OutputTap>& tap : setup_.taps) tap->EndRun();
  life_.Wake();
}

void GraphRun::Cancel() {
  ApplicationCall call(this);
  // An error callback may call Cancel, and is itself told of this error.
  if (!errors_.AddCancelled()) return;
  TellOfError(setup_.error_callback, errors_.cancelled());
  WakeForError();
  queues_.DropAll();
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

void GraphRun::RecordFailure(const absl::Status& status, Effects* effects) {
  RecordError(status);
  effects->ready.clear();
  // The effects that are left may say that a hold has ended. Without that the
  // run would stay busy for ever.
  CatchExceptions([&] { ActOn(effects); }).IgnoreError();
  effects->ready.clear();
}

bool GraphRun::CheckStopOrError(const absl::Status& status, Node* node,
                                Effects* effects) {
  if (tool::IsStatusStop(status)) {
    if (!node->plan().is_source) StopSources(effects);
    return true;
  }
  RecordError(status);
  return false;
}

void GraphRun::FailToStart(const absl::Status& error) {
  life_.BeginIfPreparing();
  RecordError(error);
  queues_.Start();
}

// --- After the end

absl::Status GraphRun::CleanUp() {
  const InsideRun inside(this);
  queues_.Shutdown();
  timers_.Stop();
  alarms_.Stop();
  const absl::Status so_far = errors_.Combined("");
  const bool has_failed = !so_far.ok() && !life_.EndedByPacketsLeft();
  const DropCause cause =
      has_failed ? DropCause::kRunFailed : DropCause::kAtEnd;
  std::vector<LeftAtEnd> sent_in_vain;
  const auto close = [&](Node* node) {
    // Few nodes are still open, and the cast takes more than the look.
    if (node->state() == NodeState::kOpen) {
      auto* const inner = dynamic_cast<InnerQueues*>(node->calculator());
      if (inner != nullptr) inner->DropWaiting();
    }
    if (!node->StartClose(/*is_end_of_run=*/true)) return;
    TraceLane* const lane = TraceLaneIfTraced(events());
    node->NoteAllUnprocessed(cause, lane);
    Invocation* const invocation = node->first_invocation();
    CalculatorContext* const context = invocation->sets[0].context;
    context->EndCall();
    context->SetGraphStatus(so_far);
    // The run is over: nobody gets the packets that Close sends, or the status
    // that it returns.
    if (lane != nullptr) {
      NoteCallBegins(TraceKind::kCloseBegin, *node, Timestamp::Done(), {},
                     lane);
    }
    const absl::Status ignored = node->Close(invocation);
    if (lane != nullptr) {
      NoteCallEnds(TraceKind::kCloseBegin, *node, Timestamp::Done(), ignored,
                   lane);
    }
    if (!ignored.ok()) VLOG(1) << "After the end of the run: " << ignored;
    if (!has_failed && HasSent(*context)) {
      sent_in_vain.push_back(SentInVain(
          plan(), node->plan().id, node->Snapshot(), NumbersSent(*context)));
    }
    context->EndCall();
  };
  absl::Status cleaned;
  for (const Node::Placed& node : nodes_) {
    cleaned.Update(CatchExceptions([&] { close(node.get()); }));
  }
  gated_nodes_.StopConditions();
  life_.AddSentInVain(std::move(sent_in_vain));
  if (so_far.ok()) WarnOfPacketsLeft(life_.GetLeftAtEnd());
  TraceLane* const lane = TraceLaneIfTraced(events());
  for (const Node::Placed& node : nodes_) node->Destroy(cause, lane);
  for (const std::shared_ptr<OutputTap>& tap : setup_.taps) tap->EndRun();
  if (has_failed) life_.ForgetLeftAtEnd();
  absl::Status status = errors_.Combined("");
  return status.ok() ? cleaned : status;
}

}  // namespace syncline
