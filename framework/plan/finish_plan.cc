// The last pass: copies what the passes before it found into the tables of the
// plan, and gathers the services that the contracts ask for.
//
// Runs only when there were no errors, so every id is valid.
//
// Tested by finish_plan_test and compile_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/service.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// A part of a vector that is complete already.
template <typename T>
absl::Span<const T> Part(const std::vector<T>& all, size_t begin) {
  return absl::MakeConstSpan(all).subspan(begin);
}

class Finisher {
 public:
  explicit Finisher(CompileState* state)
      : state_(*state), tables_(*state->tables) {}

  void Run() {
    Reserve();
    NumberStreams();
    for (size_t i = 0; i < state_.drafts.size(); ++i) {
      AddNode(static_cast<int>(i));
    }
    AddStatusHandlers();
    AddServices();
    AddStreams();
    AddSidePackets();
    FinishGraphPorts();
    IndexNames();
    PackNodes();
    tables_.origins.texts = std::move(state_.origins);
    tables_.warnings = std::move(state_.warnings);
  }

 private:
  // Spans point into the flat vectors while these are being filled, so they get
  // all their room first.
  void Reserve();
  void NumberStreams();
  void AddNode(int id);
  void AddPorts(const NodeDraft& draft, PlanNode* node);
  void AddStatusHandlers();
  void AddServices();
  void AddStreams();
  void AddSidePackets();
  void FinishGraphPorts();
  void IndexNames();
  // Keeps the configs of nodes apart, as bytes where that is enough.
  void PackNodes();
  // The name of the type of a node, which lives as long as the plan.
  absl::string_view TypeName(const std::string& type);

  CompileState& state_;
  PlanTables& tables_;
  std::vector<int> stream_ids_;  // final id, by id in the state
};

void Finisher::Reserve() {
  size_t inputs = 0;
  size_t outputs = 0;
  size_t side_packets = 0;
  for (const NodeDraft& draft : state_.drafts) {
    inputs += draft.inputs.size();
    outputs += draft.outputs.size();
    side_packets +=
        draft.input_side_packets.size() + draft.output_side_packets.size();
  }
  tables_.ports.inputs.reserve(inputs);
  tables_.ports.outputs.reserve(outputs);
  tables_.ports.node_side_packets.reserve(side_packets);
  tables_.owned.contracts.reserve(state_.drafts.size());
  tables_.nodes.reserve(state_.drafts.size());
  tables_.origins.of_nodes.reserve(state_.drafts.size());
}

// Graph inputs first, then outputs by node. The sort may have moved nodes since
// the streams got their first numbers.
void Finisher::NumberStreams() {
  stream_ids_.resize(state_.streams.size());
  int next = 0;
  for (const PlanGraphInput& input : tables_.graph_inputs) {
    stream_ids_[input.stream] = next++;
  }
  for (const NodeDraft& draft : state_.drafts) {
    for (int stream : draft.outputs) stream_ids_[stream] = next++;
  }
}

void Finisher::AddPorts(const NodeDraft& draft, PlanNode* node) {
  const size_t first_input = tables_.ports.inputs.size();
  for (const InputDraft& input : draft.inputs) {
    tables_.ports.inputs.push_back(input);
    tables_.ports.inputs.back().stream = stream_ids_[input.stream];
  }
  node->inputs = Part(tables_.ports.inputs, first_input);

  const size_t first_output = tables_.ports.outputs.size();
  for (int stream : draft.outputs) {
    tables_.ports.outputs.push_back(
        {.stream = stream_ids_[stream], .type = state_.streams[stream].type});
  }
  node->outputs = Part(tables_.ports.outputs, first_output);

  std::vector<int>& ids = tables_.ports.node_side_packets;
  const auto add = [&ids](absl::Span<const int> added) {
    const size_t first = ids.size();
    ids.insert(ids.end(), added.begin(), added.end());
    return Part(ids, first);
  };
  node->input_side_packets = add(draft.input_side_packets);
  node->output_side_packets = add(draft.output_side_packets);
}

void Finisher::AddNode(int id) {
  NodeDraft& draft = state_.drafts[id];
  const CalculatorGraphConfig::Node& config = state_.node(id);
  tables_.owned.contracts.push_back(std::move(draft.contract));
  const CalculatorContract& contract = *tables_.owned.contracts.back();

  PlanNode node;
  node.id = id;
  node.name = contract.GetNodeName();
  node.type = TypeName(config.calculator());
  node.factory = draft.factory;
  node.contract = &contract;
  AddPorts(draft, &node);
  node.has_streams = !draft.inputs.empty() || !draft.outputs.empty();
  node.is_source = draft.source >= 0;
  node.sources.layer = config.source_layer();
  node.sources.position = draft.source;
  node.sources.set = draft.source_set;
  node.is_persistent = contract.IsPersistent();
  node.max_in_flight = node.is_source ? 1 : std::max(1, config.max_in_flight());
  node.executor = draft.executor;
  node.conditions = draft.conditions;
  node.batch.max_size = std::max(1, config.batch().max_size());
  node.batch.max_delay_ns = config.batch().max_delay_ns();
  node.handlers.input = draft.input_stream_handler;
  node.handlers.input_options = draft.input_stream_handler_options;
  node.handlers.output = draft.output_stream_handler;
  node.bounds.are_processed = contract.GetProcessTimestampBounds();
  node.bounds.offset = contract.GetTimestampOffset();
  tables_.nodes.push_back(std::move(node));
  tables_.origins.of_nodes.push_back(draft.origin);
}

absl::string_view Finisher::TypeName(const std::string& type) {
  // Most nodes have the type of the one before.
  if (!tables_.nodes.empty() && tables_.nodes.back().type == type) {
    return tables_.nodes.back().type;
  }
  return *tables_.owned.shared_names.insert(type).first;
}

// The ids are there, one handler after the other.
void Finisher::AddStatusHandlers() {
  size_t begin = 0;
  for (PlanStatusHandler& handler : tables_.status_handlers) {
    const size_t count = handler.input_side_packet_types->NumEntries();
    handler.input_side_packets =
        absl::MakeConstSpan(tables_.ports.handler_side_packets)
            .subspan(begin, count);
    begin += count;
  }
}

// The readers of each id, by a counting sort that keeps the order of nodes and
// ports. `ports` are the ports of a node that read, and `id_of` gives the id
// that a port reads. The result points into `readers`.
template <typename Port, typename IdOf>
std::vector<absl::Span<const PortRef>> GroupReaders(
    const std::vector<PlanNode>& nodes, absl::Span<const Port> PlanNode::*ports,
    IdOf id_of, size_t count, std::vector<PortRef>* readers) {
  std::vector<size_t> next(count + 1, 0);
  for (const PlanNode& node : nodes) {
    for (const Port& port : node.*ports) ++next[id_of(port) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  readers->resize(next[count]);
  std::vector<absl::Span<const PortRef>> groups;
  groups.reserve(count);
  for (size_t id = 0; id < count; ++id) {
    groups.push_back(absl::MakeConstSpan(*readers).subspan(
        next[id], next[id + 1] - next[id]));
  }
  for (const PlanNode& node : nodes) {
    for (int i = 0; i < static_cast<int>((node.*ports).size()); ++i) {
      (*readers)[next[id_of((node.*ports)[i])]++] = {node.id, i};
    }
  }
  return groups;
}

// Services are given after the graph is compiled, so nothing is missing yet.
void Finisher::AddServices() {
  std::map<std::string, PlanService> services;
  for (const PlanNode& node : tables_.nodes) {
    for (const auto& request : node.contract->ServiceRequests()) {
      PlanService& service = services[request->Service().key];
      service.key = request->Service().key;
      if (service.request == nullptr) service.request = request.get();
      if (!request->IsOptional()) service.required = true;
      service.nodes.push_back(node.id);
    }
  }
  for (auto& [key, service] : services) {
    tables_.services.push_back(std::move(service));
  }
}

void Finisher::AddStreams() {
  const auto readers = GroupReaders(
      tables_.nodes, &PlanNode::inputs,
      [](const PlanInput& input) { return input.stream; },
      state_.streams.size(), &tables_.ports.stream_consumers);
  tables_.streams.resize(state_.streams.size());
  for (size_t i = 0; i < state_.streams.size(); ++i) {
    const StreamDraft& draft = state_.streams[i];
    const int id = stream_ids_[i];
    tables_.streams[id] = {.id = id,
                           .name = draft.name,
                           .producer = draft.producer,
                           .consumers = readers[id],
                           .type = draft.type,
                           .source_set = draft.source_set};
  }
}

void Finisher::AddSidePackets() {
  const auto readers = GroupReaders(
      tables_.nodes, &PlanNode::input_side_packets, [](int id) { return id; },
      state_.side_packets.size(), &tables_.ports.side_packet_consumers);
  for (size_t id = 0; id < readers.size(); ++id) {
    const SidePacketDraft& draft = state_.side_packets[id];
    const bool required =
        draft.producer.node < 0 &&
        absl::c_any_of(readers[id], [this](const PortRef& reader) {
          return !tables_.owned.contracts[reader.node]
                      ->InputSidePackets()
                      .Get(reader.port)
                      .IsOptional();
        });
    tables_.side_packets.push_back({.id = static_cast<int>(id),
                                    .name = std::string(draft.name),
                                    .producer = draft.producer,
                                    .consumers = readers[id],
                                    .type = draft.type,
                                    .required = required});
  }
}

void Finisher::FinishGraphPorts() {
  for (PlanGraphInput& input : tables_.graph_inputs) {
    input.stream = stream_ids_[input.stream];
  }
  for (PlanGraphOutput& output : tables_.graph_outputs) {
    if (output.stream >= 0) output.stream = stream_ids_[output.stream];
  }
}

void Finisher::IndexNames() {
  tables_.index.nodes.AddAll(tables_.nodes);
  tables_.index.streams.AddAll(tables_.streams);
  tables_.index.side_packets.AddAll(tables_.side_packets);
  tables_.index.graph_inputs.AddAll(tables_.graph_inputs);
}

// Protobuf reads no text that is not UTF-8, though an application may have
// written some into the message. Names of ports are ASCII.
bool HasPlainTexts(const CalculatorGraphConfig::Node& node) {
  const auto is_ascii = [](absl::string_view text) {
    // Not the address of the function, which would be called for each letter.
    return absl::c_all_of(
        text, [](unsigned char letter) { return absl::ascii_isascii(letter); });
  };
  return is_ascii(node.name()) && is_ascii(node.calculator()) &&
         is_ascii(node.executor()) && node.option_value().empty() &&
         node.external_input().empty();
}

// A node whose message nothing refers to, and of which nothing is asked while
// the graph runs.
bool CanBePacked(const CalculatorGraphConfig::Node& node) {
  return HasNoMessages(node) && HasPlainTexts(node) &&
         node.max_in_flight() == 0 && !node.persistent() &&
         !node.gxf_defaults() && !node.has_log_level();
}

void Finisher::PackNodes() {
  using Node = CalculatorGraphConfig::Node;
  auto* const nodes = tables_.config.mutable_node();
  const size_t count = tables_.nodes.size();
  std::string& bytes = tables_.owned.node_bytes;
  size_t size = 0;
  for (const Node& node : *nodes) {
    if (CanBePacked(node)) size += node.ByteSizeLong();
  }
  bytes.resize(size);
  tables_.owned.node_configs = std::make_unique<NodeConfig[]>(count);
  std::vector<Node*> taken(count);
  nodes->ExtractSubrange(0, static_cast<int>(count), taken.data());
  nodes->Clear();
  auto* end = reinterpret_cast<std::uint8_t*>(bytes.data());
  for (size_t i = 0; i < count; ++i) {
    std::unique_ptr<const Node> node(taken[i]);
    NodeConfig& config = tables_.owned.node_configs[i];
    tables_.nodes[i].kept_config = &config;
    if (!CanBePacked(*node)) {
      config.SetMessage(std::move(node));
      continue;
    }
    auto* const begin = end;
    end = node->SerializeWithCachedSizesToArray(begin);
    config.SetBytes({reinterpret_cast<const char*>(begin),
                     static_cast<size_t>(end - begin)});
    tables_.owned.contracts[i]->SetConfig(config);
  }
}

}  // namespace

void FinishPlan(CompileState* state) { Finisher(state).Run(); }

}  // namespace syncline
