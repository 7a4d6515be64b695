// What the application does with graph inputs while a run goes on.

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_input.h"
#include "framework/run/graph_run.h"
#include "framework/run/inside_run.h"
#include "framework/scheduler/application_thread_executor.h"

namespace syncline {

// --- Calls of the application

GraphRun::ApplicationCall::ApplicationCall(GraphRun* run)
    : run_(run), inside_(run) {
  run->activity_.Add();
}

GraphRun::ApplicationCall::~ApplicationCall() {
  const absl::Status status = CatchExceptions([&] {
    run_->ActOnAll(&effects);
    return absl::OkStatus();
  });
  if (ABSL_PREDICT_FALSE(!status.ok())) run_->RecordFailure(status, &effects);
  if (run_->activity_.Remove()) run_->OnIdle();
}

bool GraphRun::ApplicationCall::is_running() const {
  return run_->life_.is_running();
}

// --- Packets and bounds

void GraphRun::DeliverInput(int input, absl::Span<Packet> packets,
                            Timestamp bound, Effects* effects) {
  const int stream = plan().graph_inputs()[input].stream;
  if (inputs_[input]->keeps_times()) {
    DeliverTimed(stream, packets, bound, inputs_[input]->times(), effects);
  } else {
    DeliverStream(stream, packets, bound, effects);
  }
}

absl::Status GraphRun::AddPacket(int input, Packet&& packet,
                                 const PacketTimes& times, bool may_wait) {
  const int source = plan().graph_inputs()[input].source;
  // What is closed takes nothing, and is not waited for.
  while (sources_.IsPaused(source) && !has_error() &&
         !inputs_[input]->is_closed()) {
    if (!may_wait) {
      return absl::UnavailableError(absl::StrCat(
          "Graph is throttled. A queue behind the graph input \"",
          plan().graph_inputs()[input].name, "\" is full; try again later."));
    }
    if (InsideRun::Is(this)) {
      return absl::FailedPreconditionError(absl::StrCat(
          "AddPacketToInputStream() would wait for itself: a queue behind the "
          "graph input \"",
          plan().graph_inputs()[input].name,
          "\" is full, and it is called from inside of the run, as from an "
          "observer or a calculator. Add the packet from another thread, or "
          "later with ADD_IF_NOT_FULL; or give the queue room with "
          "max_queue_size."));
    }
    sources_.BeginWaitToAdd(source);
    // What is idle has to be looked at anew.
    { ApplicationCall look(this); }
    setup_.wait_point->Wait([&] {
      return !sources_.IsPaused(source) || has_error() ||
             inputs_[input]->is_closed() || !life_.is_running();
    });
    sources_.EndWaitToAdd(source);
    if (life_.IsFinished()) break;
  }
  return CallInput(input, [&](Effects* effects) {
    bool fails_run = false;
    const absl::Status status = inputs_[input]->Add(
        std::move(packet), times,
        [&](absl::Span<Packet> packets, Timestamp bound) {
          DeliverInput(input, packets, bound, effects);
        },
        &fails_run);
    if (fails_run) RecordError(status);
    if (inputs_[input]->holds_back()) LookAtHeld(input, effects);
    return status;
  });
}

absl::Status GraphRun::SetBound(int input, Timestamp bound) {
  return CallInput(input, [&](Effects* effects) {
    return inputs_[input]->SetBound(
        bound, [&](absl::Span<Packet> packets, Timestamp after) {
          DeliverInput(input, packets, after, effects);
        });
  });
}

absl::Status GraphRun::CallInput(
    int input, absl::FunctionRef<absl::Status(Effects*)> change) {
  ApplicationCall call(this);
  absl::Status result;
  // A packet that is lost ends the run.
  const absl::Status caught = CatchExceptions([&] {
    if (has_error()) {
      result = errors_.Combined("Graph has errors: ");
    } else if (!call.is_running()) {
      result = absl::FailedPreconditionError(absl::StrCat(
          "The run of the graph is over: nothing can be added to the "
          "graph input \"",
          plan().graph_inputs()[input].name, "\" until the next run."));
    } else {
      result = change(&call.effects);
    }
    return absl::OkStatus();
  });
  if (caught.ok()) return result;
  RecordError(caught);
  return caught;
}

// --- The end

void GraphRun::CloseInput(int input) {
  ApplicationCall call(this);
  if (!call.is_running()) return;
  bool is_first = false;
  const absl::Status caught = CatchExceptions([&] {
    is_first =
        inputs_[input]->Close([&](absl::Span<Packet> packets, Timestamp bound) {
          DeliverInput(input, packets, bound, &call.effects);
        });
    return absl::OkStatus();
  });
  if (!caught.ok()) RecordError(caught);
  if (is_first) life_.CloseInput();
}

void GraphRun::CloseAllInputs() {
  for (size_t i = 0; i < inputs_.size(); ++i) CloseInput(static_cast<int>(i));
}

void GraphRun::CloseAllPacketSources() {
  // Around both, so that the run is known to be told to end when it ends.
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

}  // namespace syncline
