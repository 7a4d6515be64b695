#include "framework/run/graph_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/log_levels.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/effects.h"
#include "framework/node/inner_queues.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/node/open_prerequisites.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_input.h"
#include "framework/run/inside_run.h"
#include "framework/run/left_at_end.h"
#include "framework/run/output_tap.h"
#include "framework/run/packets_left_verdict.h"
#include "framework/run/poller_queue.h"
#include "framework/run/queue_settings.h"
#include "framework/run/run_life.h"
#include "framework/run/time_limit.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/stream/drop_cause.h"
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

}  // namespace

// --- Start and end

GraphRun::GraphRun(Setup setup)
    : setup_(std::move(setup)),
      nodes_(plan(), setup_.policies, setup_.kept, setup_.input_limits,
             setup_.taps),
      sources_(plan()),
      side_packets_(plan().side_packets().size()),
      life_(setup_.wait_point.get(), &activity_,
            QuietTime(plan().settings().stop_on_deadlock,
                      plan().settings().deadlock_timeout_ns)) {
  MakeInputs();
  MakeGates();
  for (const std::shared_ptr<Executor>& executor : setup_.executors) {
    queues_.Add(std::make_shared<SchedulerQueue>(executor.get(), this,
                                                 &activity_, setup_.chooser));
  }
}

GraphRun::~GraphRun() = default;

void GraphRun::MakeInputs() {
  for (const PlanGraphInput& input : plan().graph_inputs()) {
    const PlanStream& stream = plan().streams()[input.stream];
    const std::int64_t given = setup_.input_limits.bytes[inputs_.size()];
    const std::int64_t max_held_bytes =
        given != 0 ? given : plan().settings().max_queue_bytes;
    inputs_.push_back(std::make_unique<GraphInput>(
        stream, input,
        /*checks_order=*/!ReadersIgnoreTime(stream, setup_.policies),
        ReadersKeepTimes(plan(), stream) ? setup_.clock.get() : nullptr,
        max_held_bytes));
  }
}

void GraphRun::Start(const std::shared_ptr<GraphRun>& self) {
  log_internal::ReadGlogFlags();
  for (const std::shared_ptr<PollerQueue>& poller : setup_.pollers) {
    poller->SetListener(self);
    poller->SetWarningSize(plan().settings().queue_warning_size);
  }
  for (const std::shared_ptr<OutputTap>& tap : setup_.taps) tap->StartRun();
  life_.Begin(static_cast<int>(inputs_.size()));
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
  ApplicationCall call(this);
  StartGates(self);
  StartAlarms();
  for (const auto& [name, packet] : setup_.side_packets) {
    const int id = plan().FindSidePacket(name);
    if (id >= 0) side_packets_.Set(id, packet);
  }
  for (const Node::Placed& node : nodes_) {
    node->Start(OpenPrerequisites::SidePacketsToCome(plan().side_packets(),
                                                     node->plan()),
                &call.effects);
  }
  for (const PlanGraphInput& input : plan().graph_inputs()) {
    const auto header = setup_.stream_headers.find(input.name);
    for (const PortRef& reader : plan().streams()[input.stream].consumers) {
      nodes_[reader.node]->HeaderArrived(
          reader.port,
          header == setup_.stream_headers.end() ? Packet() : header->second,
          &call.effects);
    }
  }
  ActOnAll(&call.effects);
  queues_.Start();
}

void GraphRun::FailToStart(const absl::Status& error) {
  life_.BeginIfPreparing();
  RecordError(error);
  queues_.Start();
}

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
    auto* const inner = dynamic_cast<InnerQueues*>(node->calculator());
    if (inner != nullptr && node->state() == NodeState::kOpen) {
      inner->DropWaiting();
    }
    if (!node->StartClose(/*is_end_of_run=*/true)) return;
    node->NoteAllUnprocessed(cause);
    Invocation* const invocation = node->first_invocation();
    CalculatorContext* const context = invocation->sets[0].context;
    context->EndCall();
    context->SetGraphStatus(so_far);
    // The run is over: nobody gets the packets that Close sends, or the status
    // that it returns.
    const absl::Status ignored = node->Close(invocation);
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
  if (so_far.ok()) WarnOfPacketsLeft();
  for (const Node::Placed& node : nodes_) node->Destroy(cause);
  for (const std::shared_ptr<OutputTap>& tap : setup_.taps) tap->EndRun();
  if (has_failed) life_.ForgetLeftAtEnd();
  absl::Status status = errors_.Combined("");
  return status.ok() ? cleaned : status;
}

// --- Waiting

absl::Status GraphRun::WaitForObservedOutput() {
  const bool has_output =
      observed_.Wait([this] { return life_.has_finished(); });
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
  if (!setup_.error_callback) return;
  const absl::Status status =
      CallUserCode([&] { setup_.error_callback(error); });
  if (!status.ok()) LOG(ERROR) << "The error callback failed: " << status;
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
  TellOfError(errors_.cancelled());
  WakeForError();
  queues_.DropAll();
}

void GraphRun::Pause() {
  queues_.Pause();
  // Another thread may have met an error, and have looked for a pause just
  // before this one began. A pause must not keep a run from its end.
  if (!has_error()) return;
  ApplicationCall call(this);
  queues_.EndPause();
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
