// How nodes are opened, and the side packets that they wait for and make. What
// they have to wait for is decided in node/open_prerequisites.h.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/status_text.h"
#include "framework/calculator/context.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/packet_set.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_run.h"
#include "framework/run/remembered_node.h"
#include "framework/run/run_side_packets.h"
#include "framework/run/run_trace.h"
#include "framework/stream/drop_cause.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Keeps what the node, which has no streams, made of its side packets.
// `remembered`: by node; null: nothing is kept.
void Remember(const PlanNode& node, const RunSidePackets& side_packets,
              std::vector<RememberedNode>* remembered) {
  if (remembered == nullptr) return;
  (*remembered)[node.id].Remember(side_packets.Get(node.input_side_packets),
                                  side_packets.Get(node.output_side_packets));
}

// Once for each node of the graph.
void WarnOfOffset(const PlanNode& node,
                  std::vector<RememberedNode>* remembered) {
  if (remembered != nullptr && (*remembered)[node.id].HasWarnedOfOffset()) {
    return;
  }
  LOG(WARNING) << OffsetWarning(node);
}

}  // namespace

void GraphRun::RunOpen(Invocation* invocation, Effects* effects) {
  OpenNode(invocation, effects);
  if (!sources_.NoteNodeOpened() || has_error()) return;
  StartSources(sources_.StartNextLayer(/*only_the_first=*/true), effects);
}

void GraphRun::OpenNode(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  const PlanNode& plan = node->plan();
  absl::StatusOr<PacketSet> inputs = FillInputSidePackets(
      plan.contract->InputSidePackets(), [this](const std::string& name) {
        return SidePacket(setup_.plan->FindSidePacket(name));
      });
  if (!inputs.ok()) {
    RecordError(PrefixStatus(
        absl::StrCat("Side packets of node ", NodeText(*plan.contract), ": "),
        inputs.status()));
    return node->FinishClose(effects, DropCause::kRunFailed);
  }
  if (ReuseRemembered(node, effects)) return;
  NodeEnvironment::Run run;
  run.node_id = plan.id;
  run.input_side_packets = *std::move(inputs);
  run.counters = setup_.counters;
  run.services = setup_.services;
  run.objects = this;
  TraceLane* const lane = effects->trace;
  if (lane != nullptr) {
    NoteCallBegins(TraceKind::kOpenBegin, *node, Timestamp::Unstarted(), {},
                   lane);
  }
  const absl::Status status = node->Open(invocation, std::move(run));
  if (lane != nullptr) {
    NoteCallEnds(TraceKind::kOpenBegin, *node, Timestamp::Unstarted(), status,
                 lane);
  }
  if (!status.ok()) {
    RecordError(status);
    return node->FinishClose(effects, DropCause::kRunFailed);
  }
  if (node->OffsetMayGoBack()) WarnOfOffset(plan, setup_.remembered);
  CalculatorContext* const context = invocation->sets[0].context;
  SendResults(node, context, effects);
  int port = 0;
  for (const OutputStream& output : context->Outputs()) {
    const int stream = plan.outputs[port++].stream;
    for (const PortRef& reader : setup_.plan->streams()[stream].consumers) {
      nodes_[reader.node]->HeaderArrived(reader.port, output.Header(), effects);
    }
  }
  context->EndCall();
  if (!plan.has_streams && !plan.is_source) {
    Remember(plan, side_packets_, setup_.remembered);
  }
  node->FinishOpen(invocation, effects);
  if (plan.is_source) sources_.NoteOpened(plan.sources.position);
}

// --- Side packets

void GraphRun::TakeSidePackets(Node* node, Effects* effects) {
  const absl::Span<const int> ids = node->plan().output_side_packets;
  int port = 0;
  for (const std::unique_ptr<NodeOutputSidePacket>& output :
       node->environment()->node_output_side_packets()) {
    const int id = ids[port++];
    const absl::optional<Packet> packet = output->TakeNewlySet();
    if (packet.has_value()) ProvideSidePacket(id, *packet, effects);
    const absl::Status error = output->TakeError();
    if (!error.ok()) effects->errors.push_back(error);
  }
}

void GraphRun::ProvideSidePacket(int id, const Packet& packet,
                                 Effects* effects) {
  side_packets_.Set(id, packet);
  for (const PortRef& reader : plan().side_packets()[id].consumers) {
    nodes_[reader.node]->SidePacketArrived(effects);
  }
}

// --- What need not be opened again

bool GraphRun::ReuseRemembered(Node* node, Effects* effects) {
  const PlanNode& plan = node->plan();
  if (plan.has_streams || plan.is_source || plan.is_persistent ||
      setup_.remembered == nullptr) {
    return false;
  }
  const RememberedNode& before = (*setup_.remembered)[plan.id];
  if (!before.Knows(side_packets_.Get(plan.input_side_packets))) return false;
  for (size_t port = 0; port < before.outputs().size(); ++port) {
    ProvideSidePacket(plan.output_side_packets[port], before.outputs()[port],
                      effects);
  }
  node->FinishClose(effects);
  return true;
}

}  // namespace syncline
