// Gives every stream and side packet a number, one producer and its readers.
//
// Stream names become ids: those of the graph's inputs first, then those of the
// nodes' outputs as they come. An input whose stream nobody produces, a stream
// with two producers, a malformed port of the graph itself, and an
// `input_stream_info` that fits no input are errors. The application has to
// give the side packets that nobody produces.
//
// Runs after ParsePorts.
//
// Tested by connect_ports_test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// The ports as tag indexes; only how many when they are many.
std::string PortsText(const PortLayout& layout) {
  constexpr int kMaxShown = 20;
  if (layout.NumEntries() <= kMaxShown) return layout.ShortDebugString();
  return absl::StrCat(layout.NumEntries(), " input streams");
}

// The place of the last port called `name`.
int LastNamed(const google::protobuf::RepeatedPtrField<std::string>& ports,
              absl::string_view name) {
  int at = ports.size() - 1;
  for (; at > 0; --at) {
    const absl::string_view port = ports[at];
    if (port.substr(port.rfind(':') + 1) == name) break;
  }
  return at;
}

// The place of the input that `tag_index` names.
absl::StatusOr<int> FindInput(const std::string& tag_index,
                              const PortLayout& layout) {
  std::string tag;
  int index = 0;
  SYNCLINE_RETURN_IF_ERROR(
      PrefixStatus("stream: ", tool::ParseTagIndex(tag_index, &tag, &index)));
  const CollectionItemId id = layout.GetId(tag, index);
  if (id.IsValid()) return id.value();
  return absl::InvalidArgumentError(
      absl::StrCat("the node has no input stream ", Quoted(tag_index),
                   "; it has ", PortsText(layout)));
}

class Connector {
 public:
  explicit Connector(CompileState* state) : state_(*state) {}

  void Run() {
    AddGraphInputs();
    const int count = static_cast<int>(state_.drafts.size());
    for (int i = 0; i < count; ++i) AddOutputs(i);
    for (int i = 0; i < count; ++i) ConnectInputs(i);
    ConnectStatusHandlers();
    AddGraphOutputs();
    // At the top level, only the syntax of side packets is checked.
    GraphPorts("input_side_packet", state_.config().input_side_packet());
    GraphPorts("output_side_packet", state_.config().output_side_packet());
  }

 private:
  using Ports = google::protobuf::RepeatedPtrField<std::string>;

  void AddGraphInputs();
  void AddGraphOutputs();
  void AddOutputs(int node);
  void ConnectInputs(int node);
  // What input_stream_info says of the inputs.
  void ReadInputInfos(int node);
  // The rest of an error text, or "".
  std::string ReadIdleAfter(int port, const IdleAfter& idle_after,
                            NodeDraft* draft) const;
  // The same.
  std::string ReadQueue(const InputStreamInfo& info, InputDraft* input) const;
  void ConnectStatusHandlers();

  std::shared_ptr<const PortLayout> GraphPorts(absl::string_view field,
                                               const Ports& ports);
  int AddStream(absl::string_view name, PortRef producer);
  int SidePacketId(absl::string_view name);
  void ReportUnknownStream(int node, const std::string& name);
  std::string NearestStreams(absl::string_view name);
  std::string ProducerLabel(PortRef producer) const;

  CompileState& state_;
};

// Returns the new stream's id, or -1 when the name is taken.
int Connector::AddStream(absl::string_view name, PortRef producer) {
  const int id = static_cast<int>(state_.streams.size());
  state_.streams.push_back({.name = name, .producer = producer});
  if (state_.stream_ids.Add(state_.streams, id) == id) return id;
  state_.streams.pop_back();
  return -1;
}

// The id of the side packet; a new one, of the application, if there is none.
int Connector::SidePacketId(absl::string_view name) {
  const int known = state_.side_packet_ids.Find(state_.side_packets, name);
  if (known >= 0) return known;
  const int next = static_cast<int>(state_.side_packets.size());
  state_.side_packets.push_back({.name = name});
  return state_.side_packet_ids.Add(state_.side_packets, next);
}

std::string Connector::ProducerLabel(PortRef producer) const {
  return producer.node < 0 ? "the graph's input streams"
                           : state_.Label(producer.node);
}

// The ports of a field of the graph itself; null when they are malformed.
std::shared_ptr<const PortLayout> Connector::GraphPorts(absl::string_view field,
                                                        const Ports& ports) {
  auto layout = PortLayout::Create(ports);
  if (layout.ok()) return *std::move(layout);
  state_.FieldError(
      field, 0,
      absl::StrCat("the graph's ", field, ": ", layout.status().message()),
      layout.status().code());
  state_.Excuse(ports);
  return nullptr;
}

void Connector::AddGraphInputs() {
  PlanTables& tables = *state_.tables;
  tables.owned.graph_input_layout =
      GraphPorts("input_stream", state_.config().input_stream());
  if (tables.owned.graph_input_layout == nullptr) return;
  const PortLayout& layout = *tables.owned.graph_input_layout;
  for (int port = 0; port < layout.NumEntries(); ++port) {
    const std::string& name = layout.Names()[port];
    const int graph_input = static_cast<int>(tables.graph_inputs.size());
    const int stream = AddStream(name, {-1, graph_input});
    if (stream < 0) {
      // Finding the place of each of very many would take a while.
      if (state_.errors.full()) {
        state_.errors.CountOnly();
        continue;
      }
      state_.FieldError("input_stream",
                        LastNamed(state_.config().input_stream(), name),
                        absl::StrCat("Output Stream ", Quoted(name),
                                     " defined twice. Both are input streams "
                                     "of the graph."));
      continue;
    }
    auto [tag, index] = layout.TagAndIndex(port);
    tables.graph_inputs.push_back({.tag = std::move(tag),
                                   .index = index,
                                   .name = name,
                                   .stream = stream});
  }
}

void Connector::AddGraphOutputs() {
  PlanTables& tables = *state_.tables;
  const auto layout =
      GraphPorts("output_stream", state_.config().output_stream());
  if (layout == nullptr) return;
  for (int port = 0; port < layout->NumEntries(); ++port) {
    const std::string& name = layout->Names()[port];
    const int stream = state_.stream_ids.Find(state_.streams, name);
    auto [tag, index] = layout->TagAndIndex(port);
    tables.graph_outputs.push_back({.tag = std::move(tag),
                                    .index = index,
                                    .name = name,
                                    .stream = stream});
    if (stream >= 0 || state_.excused_names.contains(name)) continue;
    state_.warnings.push_back(absl::StrCat(
        "output_stream ", Quoted(name), " of the graph is produced by no node.",
        NearestStreams(name)));
  }
}

void Connector::AddOutputs(int node) {
  NodeDraft& draft = state_.drafts[node];
  if (!draft.well_formed) state_.Excuse(state_.node(node).output_stream());
  const PortNames streams = draft.contract->Outputs().layout().Names();
  for (int port = 0; port < static_cast<int>(streams.size()); ++port) {
    const int stream = AddStream(streams[port], {node, port});
    draft.outputs.push_back(stream);
    if (stream >= 0) continue;
    const PortRef other =
        state_.streams[state_.stream_ids.Find(state_.streams, streams[port])]
            .producer;
    state_.PortError(node, "output_stream", state_.node(node).output_stream(),
                     streams[port],
                     absl::InvalidArgumentError(
                         absl::StrCat("Output Stream ", Quoted(streams[port]),
                                      " defined twice. The other producer is ",
                                      ProducerLabel(other), ".")));
  }
  const PortNames side_packets =
      draft.contract->OutputSidePackets().layout().Names();
  for (int port = 0; port < static_cast<int>(side_packets.size()); ++port) {
    const int id = SidePacketId(side_packets[port]);
    draft.output_side_packets.push_back(id);
    PortRef& producer = state_.side_packets[id].producer;
    if (producer.node < 0) {
      producer = {node, port};
      continue;
    }
    state_.NodeError(
        node, absl::StrCat("Output Side Packet ", Quoted(side_packets[port]),
                           " defined twice. The other producer is ",
                           ProducerLabel(producer), "."));
  }
}

std::string Connector::NearestStreams(absl::string_view name) {
  return state_.DidYouMean(name, CompileState::Candidates(state_.streams));
}

void Connector::ReportUnknownStream(int node, const std::string& name) {
  if (state_.excused_names.contains(name)) return;
  if (state_.errors.full()) return state_.errors.CountOnly();
  const auto hollow = state_.unproduced_names.find(name);
  const std::string hint =
      hollow == state_.unproduced_names.end()
          ? NearestStreams(name)
          : absl::StrCat(" It is an output of ", hollow->second,
                         ", but no node inside that subgraph produces it.");
  state_.PortError(node, "input_stream", state_.node(node).input_stream(), name,
                   absl::InvalidArgumentError(absl::StrCat(
                       "Input Stream ", Quoted(name),
                       " does not have a corresponding output stream.", hint)));
}

void Connector::ConnectInputs(int node) {
  NodeDraft& draft = state_.drafts[node];
  for (const std::string& name : draft.contract->Inputs().layout().Names()) {
    const int stream = state_.stream_ids.Find(state_.streams, name);
    draft.inputs.push_back({.stream = stream});
    if (stream < 0) ReportUnknownStream(node, name);
  }
  ReadInputInfos(node);
  for (const std::string& name :
       draft.contract->InputSidePackets().layout().Names()) {
    draft.input_side_packets.push_back(SidePacketId(name));
  }
}

std::string Connector::ReadIdleAfter(int port, const IdleAfter& idle_after,
                                     NodeDraft* draft) const {
  const absl::StatusOr<int> other =
      FindInput(idle_after.stream(), draft->contract->Inputs().layout());
  if (!other.ok()) {
    return absl::StrCat("idle_after: ", other.status().message());
  }
  if (*other == port) {
    return "idle_after: a stream cannot be idle after itself; name another "
           "input stream of the node";
  }
  if (idle_after.gap() <= 0) {
    return absl::StrCat("idle_after: gap must be positive, and is ",
                        idle_after.gap());
  }
  draft->inputs[port].idle_after_port = *other;
  draft->inputs[port].idle_gap = idle_after.gap();
  return "";
}

std::string Connector::ReadQueue(const InputStreamInfo& info,
                                 InputDraft* input) const {
  if (!InputStreamInfo::QueuePolicy_IsValid(info.queue_policy())) {
    return absl::StrCat("queue_policy is ",
                        static_cast<int>(info.queue_policy()),
                        ", which is none of BLOCK, POP, REJECT and FAULT");
  }
  if (info.max_queue_size() < 0) {
    return absl::StrCat(
        "max_queue_size must be positive, or 0 for that of the graph, and is ",
        info.max_queue_size());
  }
  const std::string policy =
      InputStreamInfo::QueuePolicy_Name(info.queue_policy());
  if (info.queue_policy() != InputStreamInfo::BLOCK &&
      info.max_queue_size() == 0) {
    return absl::StrCat("queue_policy: ", policy,
                        " needs a max_queue_size, as `max_queue_size: 1 "
                        "queue_policy: ",
                        policy, "`");
  }
  if (info.queue_policy() != InputStreamInfo::BLOCK &&
      state_.config().deterministic()) {
    return absl::StrCat(
        "queue_policy: ", policy,
        " drops what a slow node is late for, which differs from run to run, "
        "so a graph with deterministic: true cannot have it. Use BLOCK, with "
        "which sources wait");
  }
  input->max_queue_size = info.max_queue_size();
  input->queue_policy = info.queue_policy();
  input->message_times = info.message_times();
  return "";
}

void Connector::ReadInputInfos(int node) {
  const auto& infos = state_.node(node).input_stream_info();
  if (infos.empty()) return;
  NodeDraft& draft = state_.drafts[node];
  const PortLayout& layout = draft.contract->Inputs().layout();
  std::vector<bool> seen(draft.inputs.size(), false);
  for (const InputStreamInfo& info : infos) {
    const absl::StatusOr<int> port = FindInput(info.tag_index(), layout);
    std::string problem;
    if (!port.ok()) {
      problem = std::string(port.status().message());
    } else if (seen[*port]) {
      problem = "there is more than one for that input stream";
    } else {
      seen[*port] = true;
      draft.inputs[*port].back_edge = info.back_edge();
      problem = ReadQueue(info, &draft.inputs[*port]);
      if (problem.empty() && info.has_idle_after()) {
        problem = ReadIdleAfter(*port, info.idle_after(), &draft);
      }
      if (problem.empty()) continue;
    }
    state_.NodeError(
        node, absl::StrCat("input_stream_info for tag_index ",
                           Quoted(info.tag_index()), ": ", problem, "."));
  }
}

void Connector::ConnectStatusHandlers() {
  PlanTables& tables = *state_.tables;
  for (const auto& types : tables.owned.status_handler_types) {
    for (const std::string& name : types->layout().Names()) {
      tables.ports.handler_side_packets.push_back(SidePacketId(name));
    }
  }
}

}  // namespace

void ConnectPorts(CompileState* state) { Connector(state).Run(); }

}  // namespace syncline
