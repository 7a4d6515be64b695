// What feeds a run: graph inputs, which the application fills, and source
// nodes, which start, go on, wait for room, and stop.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_input.h"
#include "framework/run/graph_run.h"
#include "framework/run/inside_run.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_trace.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/task_priority.h"
#include "framework/scheduler/waiters.h"
#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

// The node that is this source.
Node* SourceNode(const RunNodes& nodes, const GraphPlan& plan, int source) {
  return nodes[plan.sources()[source].node].get();
}

}  // namespace

// --- Calls of the application

GraphRun::ApplicationCall::~ApplicationCall() {
  const absl::Status status =
      CatchExceptions([this] { run_->ActOnAll(&effects); });
  if (ABSL_PREDICT_FALSE(!status.ok())) run_->RecordFailure(status, &effects);
  if (run_->activity_.Remove()) run_->OnIdle();
}

bool GraphRun::ApplicationCall::is_running() const {
  return run_->life_.is_running();
}

// --- Packets and bounds

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void GraphRun::DeliverInput(
    const GraphInput& input, absl::Span<Packet> packets, Timestamp bound,
    Effects* effects) {
  if (ABSL_PREDICT_FALSE(effects->trace != nullptr || input.keeps_times())) {
    return DeliverInputByRules(input, packets, bound, effects);
  }
  DeliverInPlace(input.plan().stream, packets, bound, effects);
}

// A function of its own, so that the usual way needs no registers for it.
ABSL_ATTRIBUTE_NOINLINE void GraphRun::DeliverInputByRules(
    const GraphInput& input, absl::Span<Packet> packets, Timestamp bound,
    Effects* effects) {
  const int stream = input.plan().stream;
  if (effects->trace != nullptr) {
    NoteSentApart(stream, packets, bound, effects->trace,
                  setup_.tracing.packets.get());
  }
  if (input.keeps_times()) {
    DeliverTimed(stream, packets, bound, input.times(), effects);
  } else {
    DeliverStream(stream, packets, bound, effects);
  }
}

absl::Status GraphRun::WhyInputTakesNothing(int input) const {
  if (has_error()) return errors_.Combined("Graph has errors: ");
  return absl::FailedPreconditionError(absl::StrCat(
      "The run of the graph is over: nothing can be added to the graph input "
      "\"",
      inputs_[input]->plan().name, "\" until the next run."));
}

template <typename Change>
absl::Status GraphRun::CallInput(int input, Change change) {
  ApplicationCall call(this);
  absl::Status result;
  // If memory runs out, the packet is lost, and that ends the run.
  const absl::Status caught = CatchExceptions([&] {
    const bool takes_more =
        ABSL_PREDICT_TRUE(!has_error() && call.is_running());
    result = takes_more ? change(&call.effects) : WhyInputTakesNothing(input);
  });
  if (ABSL_PREDICT_TRUE(caught.ok())) return result;
  RecordError(caught);
  return caught;
}

absl::Status GraphRun::WaitForRoom(int input, bool may_wait) {
  const GraphInput& full = *inputs_[input];
  const int source = full.plan().source;
  // An input that is closed takes no packet, so nobody waits for it.
  while (sources_.IsPaused(source) && !has_error() && !full.is_closed()) {
    if (!may_wait) return full.ThrottledError();
    // A call of the run itself, such as that of an observer, may be the one
    // that has to end before the queue gets room. So it goes beyond the limit,
    // as a calculator does that sends more packets than it gets.
    if (InsideRun::Is(this)) return absl::OkStatus();
    sources_.BeginWaitToAdd(source);
    NoteThrottling(TraceKind::kThrottled, plan(), source,
                   TraceLaneIfTraced(events()));
    // A run that is idle has to decide again, now that the application waits.
    { ApplicationCall look(this); }
    setup_.wait_point->Wait(
        [&] {
          return !sources_.IsPaused(source) || has_error() ||
                 full.is_closed() || !life_.is_running();
        },
        absl::InfiniteDuration(),
        {.what = WaitReason::For::kRoom, .stream = full.plan().stream});
    NoteThrottling(TraceKind::kUnthrottled, plan(), source,
                   TraceLaneIfTraced(events()));
    sources_.EndWaitToAdd(source);
    if (life_.IsFinished()) break;
  }
  return absl::OkStatus();
}

absl::Status GraphRun::AddPacket(int input, Packet&& packet,
                                 const PacketTimes& times, bool may_wait) {
  GraphInput* const to = inputs_[input].get();
  if (ABSL_PREDICT_FALSE(sources_.IsPaused(to->plan().source))) {
    SYNCLINE_RETURN_IF_ERROR(WaitForRoom(input, may_wait));
  }
  return CallInput(input, [this, to, &packet, &times](Effects* effects) {
    bool fails_run = false;
    absl::Status status = to->Add(
        std::move(packet), times,
        [this, to, effects](absl::Span<Packet> packets, Timestamp bound) {
          DeliverInput(*to, packets, bound, effects);
        },
        &fails_run);
    if (ABSL_PREDICT_FALSE(fails_run)) RecordError(status);
    if (ABSL_PREDICT_FALSE(to->holds_back())) memory_.LookAtHeld(*to, effects);
    return status;
  });
}

absl::Status GraphRun::SetBound(int input, Timestamp bound) {
  return CallInput(input, [&](Effects* effects) {
    return inputs_[input]->SetBound(
        bound, [&](absl::Span<Packet> packets, Timestamp after) {
          DeliverInput(*inputs_[input], packets, after, effects);
        });
  });
}

// --- The end

void GraphRun::CloseInput(int input) {
  ApplicationCall call(this);
  if (!call.is_running()) return;
  bool is_first = false;
  const absl::Status caught = CatchExceptions([&] {
    is_first =
        inputs_[input]->Close([&](absl::Span<Packet> packets, Timestamp bound) {
          DeliverInput(*inputs_[input], packets, bound, &call.effects);
        });
  });
  if (!caught.ok()) RecordError(caught);
  if (is_first) life_.CloseInput();
}

void GraphRun::CloseAllInputs() {
  for (size_t i = 0; i < inputs_.size(); ++i) CloseInput(static_cast<int>(i));
}

void GraphRun::CloseAllPacketSources() {
  // This call keeps the run busy around both steps. Otherwise the run could end
  // after the first, and would not know that it was told to end.
  ApplicationCall call(this);
  CloseAllInputs();
  if (call.is_running()) StopSources(&call.effects);
}

std::vector<GraphInput::Snapshot> GraphRun::InputSnapshots() const {
  std::vector<GraphInput::Snapshot> snapshots;
  for (const std::unique_ptr<GraphInput>& input : inputs_) {
    snapshots.push_back(input->LookIn());
  }
  return snapshots;
}

// --- Source nodes

void GraphRun::SourceClosed(const Node& node) {
  sources_.NoteClosed(node.plan().sources.position);
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
}

void GraphRun::StartSources(absl::Span<const int> sources, Effects* effects) {
  if (sources_.AllStarted()) holds_.AllSourcesStarted();
  for (const int source : sources)
    ContinueSource(SourceNode(nodes_, plan(), source), effects);
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
  NoteThrottling(TraceKind::kThrottled, plan(), position, effects->trace);
  for (const int source : released)
    ReadySource(SourceNode(nodes_, plan(), source), effects);
}

void GraphRun::CallSource(Node* node, Effects* effects) {
  // A source that is about to be closed does not ask its conditions.
  if (node->conditions() != nullptr && !sources_.is_stopping()) {
    node->AskForSource(effects);
  } else {
    ReadySource(node, effects);
  }
}

void GraphRun::ReadySource(Node* node, Effects* effects) {
  Invocation* const invocation = node->first_invocation();
  const bool has_others = setup_.plan->sources().size() > 1;
  // A source that is alone keeps its priority, and gives way to none.
  if (ABSL_PREDICT_TRUE(!has_others && invocation->priority.IsSource())) {
    return effects->ready.push_back(invocation);
  }
  const PlanNode& plan = node->plan();
  std::int64_t order = 0;
  if (has_others) {
    const absl::Status status = CallUserCode([&] {
      order = node->calculator()
                  ->SourceProcessOrder(invocation->sets[0].context)
                  .Value();
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
      NoteThrottling(TraceKind::kUnthrottled, plan(), source, effects->trace);
      CallSource(SourceNode(nodes_, plan(), source), effects);
    } else {
      has_input = true;
    }
  }
  if (has_input) life_.Wake();
}

void GraphRun::StopSources(Effects* effects) {
  std::vector<int> released;
  if (!sources_.Stop(&released)) return;
  for (const int source : released)
    ReadySource(SourceNode(nodes_, plan(), source), effects);
  for (Node* const node : gated_nodes_) {
    if (node->is_source()) node->ReleaseSource(effects);
  }
}

bool GraphRun::IsNodeThrottled(int node) const {
  const int source = plan().nodes()[node].sources.position;
  return source >= 0 && sources_.IsPaused(source);
}

}  // namespace syncline
