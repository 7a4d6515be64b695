#include "framework/run/graph_run.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/log_levels.h"
#include "framework/base/usable_cores.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/open_prerequisites.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/deadlock_timeout.h"
#include "framework/run/graph_input.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/queue_settings.h"
#include "framework/run/run_life.h"
#include "framework/run/run_look.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"

namespace syncline {
namespace {

std::vector<std::unique_ptr<GraphInput>> MakeInputs(
    const GraphRun::Setup& setup) {
  const GraphPlan& plan = *setup.plan;
  std::vector<std::unique_ptr<GraphInput>> inputs;
  for (const PlanGraphInput& input : plan.graph_inputs()) {
    const PlanStream& stream = plan.streams()[input.stream];
    const std::int64_t given = setup.input_limits.bytes[inputs.size()];
    const std::int64_t max_held_bytes =
        given != 0 ? given : plan.settings().max_queue_bytes;
    inputs.push_back(std::make_unique<GraphInput>(
        stream, input,
        /*checks_order=*/!ReadersIgnoreTime(stream, setup.policies),
        ReadersKeepTimes(plan, stream) ? setup.clock.get() : nullptr,
        max_held_bytes));
  }
  return inputs;
}

}  // namespace

// --- Start

GraphRun::GraphRun(Setup setup)
    : setup_(std::move(setup)),
      nodes_(plan(), setup_.policies, setup_.kept, setup_.input_limits,
             setup_.taps),
      inputs_(MakeInputs(setup_)),
      sources_(plan()),
      side_packets_(plan().side_packets().size()),
      look_({.run = this,
             .plan = plan(),
             .nodes = nodes_,
             .gated_nodes = gated_nodes_,
             .sources = sources_,
             .side_packets = side_packets_,
             .queues = queues_,
             .inputs = inputs_,
             .pollers = setup_.pollers,
             .taps = setup_.taps,
             .texts = setup_.texts,
             .wait_point = setup_.wait_point.get(),
             .clock = setup_.clock.get()}),
      life_(setup_.wait_point.get(), &activity_,
            DeadlockTimeout(plan().settings().stop_on_deadlock,
                            plan().settings().deadlock_timeout_ns)) {
  MakeGates();
  nodes_.LetNodesSendTogether(plan());
  for (const std::shared_ptr<Executor>& executor : setup_.executors) {
    queues_.Add(std::make_shared<SchedulerQueue>(
        executor.get(), this, &activity_, setup_.chooser, NumUsableCores(),
        /*has_turns=*/plan().sources().size() > 1));
  }
}

GraphRun::~GraphRun() = default;

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

// --- Looking in

std::uint64_t GraphRun::Progress() const {
  return activity_.period() + queues_.Progress();
}

std::vector<NodeSnapshot> GraphRun::Snapshot() const {
  std::vector<NodeSnapshot> snapshots = nodes_.Snapshots();
  device_times_.AddTo(absl::MakeSpan(snapshots));
  return snapshots;
}

// --- Waiting and pausing

absl::Status GraphRun::WaitForObservedOutput() {
  const bool has_output =
      observed_.Wait([this] { return life_.has_finished(); });
  if (has_output) return absl::OkStatus();
  return absl::OutOfRangeError("The run of the graph is over.");
}

void GraphRun::Pause() {
  queues_.Pause();
  // Another thread may have met an error, and have looked for a pause just
  // before this one began. A pause must not keep a run from its end.
  if (!has_error()) return;
  ApplicationCall call(this);
  queues_.EndPause();
}

}  // namespace syncline
