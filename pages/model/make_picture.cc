#include "pages/model/make_picture.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/service.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_draft.h"
#include "framework/plan/graph_plan.h"
#include "pages/model/config_text.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

std::string TypeText(const PacketType* type) {
  if (type == nullptr || !type->IsInitialized()) return "";
  return type->IsAny() ? "any type" : type->DebugTypeName();
}

std::string PortLabel(const PortLayout& layout, int port) {
  const auto [tag, index] = layout.TagAndIndex(port);
  if (tag.empty()) return absl::StrCat(":", index);
  return layout.NumEntries(tag) == 1 ? tag : absl::StrCat(tag, ":", index);
}

// What a draft would say of a graph that compiles.
GraphDraft DraftOf(const GraphPlan& plan) {
  GraphDraft draft;
  for (const PlanNode& from : plan.nodes()) {
    DraftNode node;
    node.config = &from.config();
    node.contract = from.contract;
    node.is_known = node.is_described = true;
    node.place = plan.Place(from.id);
    node.subgraph = plan.SubgraphOf(from.id);
    node.executor = from.executor;
    node.is_source = from.is_source;
    node.conditions = from.conditions;
    node.inputs.assign(from.inputs.begin(), from.inputs.end());
    for (const PlanOutput& output : from.outputs) {
      node.outputs.push_back(output.stream);
    }
    node.input_side_packets.assign(from.input_side_packets.begin(),
                                   from.input_side_packets.end());
    node.output_side_packets.assign(from.output_side_packets.begin(),
                                    from.output_side_packets.end());
    draft.nodes.push_back(std::move(node));
  }
  for (const PlanStream& from : plan.streams()) {
    draft.streams.push_back({.name = std::string(from.name),
                             .producer = from.producer,
                             .type = from.type});
  }
  for (const PlanSidePacket& from : plan.side_packets()) {
    draft.side_packets.push_back(
        {.name = from.name, .producer = from.producer, .type = from.type});
  }
  draft.subgraphs = plan.Subgraphs();
  draft.executors.assign(plan.executors().begin(), plan.executors().end());
  draft.graph_outputs.assign(plan.graph_outputs().begin(),
                             plan.graph_outputs().end());
  draft.warnings.assign(plan.warnings().begin(), plan.warnings().end());
  draft.config = &plan.GraphFields();
  return draft;
}

class Maker {
 public:
  Maker(const GraphDraft& draft, absl::string_view title) : draft_(draft) {
    picture_.title = std::string(title);
  }

  GraphPicture Make() {
    AddExecutors();
    AddSubgraphs();
    AddStreams(draft_.streams, &picture_.streams);
    AddStreams(draft_.side_packets, &picture_.side_packets);
    for (const DraftNode& node : draft_.nodes) AddNode(node);
    AddGraphOutputs();
    picture_.settings = GraphSettings(*draft_.config);
    AddErrors();
    AddWarnings();
    return std::move(picture_);
  }

 private:
  void AddExecutors();
  void AddSubgraphs();
  static void AddStreams(const std::vector<DraftStream>& streams,
                         std::vector<PictureStream>* to);
  void AddNode(const DraftNode& from);
  void AddInputs(const DraftNode& from, PictureNode* node);
  void AddOutputs(const DraftNode& from, PictureNode* node);
  void AddSidePackets(const DraftNode& from, PictureNode* node);
  static void AddConditions(const DraftNode& from, PictureNode* node);
  // What the contract promises.
  static void AddPromises(const CalculatorContract& contract,
                          PictureNode* node);
  void AddGraphOutputs();
  void AddErrors();
  void AddWarnings();

  // A port at `stream` of `streams`, -1 for one that is connected to nothing.
  static PicturePort Port(const PortLayout& layout, int port, int stream,
                          const std::vector<PictureStream>& streams) {
    PicturePort made;
    made.label = PortLabel(layout, port);
    if (stream < 0 || stream >= static_cast<int>(streams.size())) return made;
    made.stream = stream;
    made.type = streams[stream].type;
    return made;
  }

  const GraphDraft& draft_;
  GraphPicture picture_;
};

void Maker::AddExecutors() {
  for (const PlanExecutor& executor : draft_.executors) {
    picture_.executors.push_back({executor.name, ExecutorText(executor)});
  }
  if (picture_.executors.empty()) picture_.executors.emplace_back();
}

void Maker::AddSubgraphs() {
  for (const PlanSubgraph& subgraph : draft_.subgraphs) {
    picture_.subgraphs.push_back({.name = subgraph.name,
                                  .type = subgraph.type,
                                  .location = subgraph.place,
                                  .parent = subgraph.parent});
  }
}

void Maker::AddStreams(const std::vector<DraftStream>& streams,
                       std::vector<PictureStream>* to) {
  for (const DraftStream& from : streams) {
    PictureStream stream;
    stream.name = from.name;
    stream.type = TypeText(from.type);
    stream.from_node = from.producer.node;
    if (from.producer.node >= 0) stream.from_port = from.producer.port;
    stream.is_graph_input = from.producer.node < 0;
    to->push_back(std::move(stream));
  }
}

void Maker::AddNode(const DraftNode& from) {
  PictureNode node;
  node.name = from.contract->GetNodeName();
  node.type = from.config->calculator();
  node.location = from.place;
  node.subgraph = from.subgraph;
  if (from.executor >= 0 &&
      from.executor < static_cast<int>(picture_.executors.size())) {
    node.executor = from.executor;
  }
  node.is_source = from.is_source;
  node.is_known = from.is_known;
  AddInputs(from, &node);
  AddOutputs(from, &node);
  AddSidePackets(from, &node);
  AddConditions(from, &node);
  node.options = OptionsText(*from.config);
  node.settings = NodeSettings(*from.config);
  if (from.is_described) AddPromises(*from.contract, &node);
  picture_.nodes.push_back(std::move(node));
}

void Maker::AddInputs(const DraftNode& from, PictureNode* node) {
  const int id = static_cast<int>(picture_.nodes.size());
  const PacketTypeSet& types = from.contract->Inputs();
  for (int i = 0; i < static_cast<int>(from.inputs.size()); ++i) {
    const PlanInput& input = from.inputs[i];
    PicturePort port = Port(types.layout(), i, input.stream, picture_.streams);
    port.is_back_edge = input.back_edge;
    if (from.is_described) {
      if (input.type != nullptr) port.type = TypeText(input.type);
      port.is_optional = types.Get(i).IsOptional();
    }
    if (port.stream >= 0) {
      picture_.streams[port.stream].readers.push_back(
          {.node = id, .port = i, .is_back_edge = input.back_edge});
    }
    node->inputs.push_back(std::move(port));
  }
}

void Maker::AddOutputs(const DraftNode& from, PictureNode* node) {
  const PacketTypeSet& types = from.contract->Outputs();
  for (int i = 0; i < static_cast<int>(from.outputs.size()); ++i) {
    PicturePort port =
        Port(types.layout(), i, from.outputs[i], picture_.streams);
    port.is_optional = from.is_described && types.Get(i).IsOptional();
    node->outputs.push_back(std::move(port));
  }
}

void Maker::AddSidePackets(const DraftNode& from, PictureNode* node) {
  const int id = static_cast<int>(picture_.nodes.size());
  const PacketTypeSet& taken = from.contract->InputSidePackets();
  for (int i = 0; i < static_cast<int>(from.input_side_packets.size()); ++i) {
    PicturePort port = Port(taken.layout(), i, from.input_side_packets[i],
                            picture_.side_packets);
    port.is_optional = from.is_described && taken.Get(i).IsOptional();
    if (port.stream >= 0) {
      picture_.side_packets[port.stream].readers.push_back(
          {.node = id, .port = i});
    }
    node->input_side_packets.push_back(std::move(port));
  }
  const PortLayout& made = from.contract->OutputSidePackets().layout();
  for (int i = 0; i < static_cast<int>(from.output_side_packets.size()); ++i) {
    node->output_side_packets.push_back(
        Port(made, i, from.output_side_packets[i], picture_.side_packets));
  }
}

void Maker::AddConditions(const DraftNode& from, PictureNode* node) {
  if (from.conditions != nullptr) {
    for (const PlanCondition& condition : from.conditions->conditions) {
      node->conditions.push_back(
          {condition.name, condition.type, ConfigText(*condition.options)});
    }
    return;
  }
  for (const ConditionConfig& condition : from.config->condition()) {
    node->conditions.push_back(
        {condition.name(), condition.type(), ConfigText(condition.options())});
  }
}

void Maker::AddPromises(const CalculatorContract& contract, PictureNode* node) {
  const auto add = [node](absl::string_view name, std::string value) {
    node->settings.push_back(
        {absl::StrCat("contract: ", name), std::move(value)});
  };
  if (contract.GetTimestampOffset() != TimestampDiff::Unset()) {
    add("timestamp offset",
        absl::StrCat(contract.GetTimestampOffset().Value()));
  }
  if (contract.GetProcessTimestampBounds()) {
    add("processes timestamp bounds", "true");
  }
  if (contract.IsOrderIndependent()) add("order independent", "true");
  if (contract.IsPersistent()) add("persistent", "true");
  if (!contract.GetInputStreamHandler().empty()) {
    add("input stream handler", contract.GetInputStreamHandler());
  }
  for (const auto& service : contract.ServiceRequests()) {
    add("service", absl::StrCat(service->Service().key,
                                service->IsOptional() ? ", optional" : ""));
  }
}

void Maker::AddGraphOutputs() {
  for (const PlanGraphOutput& output : draft_.graph_outputs) {
    const int stream = output.stream;
    if (stream < 0 || stream >= static_cast<int>(picture_.streams.size())) {
      continue;
    }
    picture_.streams[stream].is_graph_output = true;
  }
  HashSet<std::string> names;
  for (const std::string& output : draft_.config->output_side_packet()) {
    names.insert(output.substr(output.rfind(':') + 1));
  }
  for (PictureStream& side_packet : picture_.side_packets) {
    side_packet.is_graph_output = names.contains(side_packet.name);
  }
}

void Maker::AddErrors() {
  for (const DraftError& error : draft_.errors) {
    AddRemark(error.node, {PictureRemark::Kind::kError, error.text}, &picture_);
  }
  const int more = draft_.num_errors - static_cast<int>(draft_.errors.size());
  if (more <= 0) return;
  AddRemark(-1,
            {PictureRemark::Kind::kError,
             absl::StrCat("... and ", more, " more errors")},
            &picture_);
}

// A warning about a node begins with the place and the label of the node, and
// ": " comes after these.
void Maker::AddWarnings() {
  if (draft_.warnings.empty()) return;
  HashMap<std::string, int> nodes;
  for (int id = 0; id < static_cast<int>(draft_.nodes.size()); ++id) {
    const DraftNode& node = draft_.nodes[id];
    const std::string label = NodeLabel(*node.config);
    nodes.try_emplace(
        node.place.empty() ? label : absl::StrCat(node.place, ": ", label), id);
  }
  for (const std::string& warning : draft_.warnings) {
    int about = -1;
    for (std::size_t end = warning.find(": "); end != std::string::npos;
         end = warning.find(": ", end + 1)) {
      const auto found = nodes.find(warning.substr(0, end));
      if (found != nodes.end()) about = found->second;
      if (about >= 0) break;
    }
    AddRemark(about, {PictureRemark::Kind::kWarning, warning}, &picture_);
  }
}

}  // namespace

GraphPicture MakeGraphPicture(const GraphPlan& plan, absl::string_view title) {
  return MakeGraphPicture(DraftOf(plan), title);
}

GraphPicture MakeGraphPicture(const GraphDraft& draft,
                              absl::string_view title) {
  return Maker(draft, title).Make();
}

void AddRemark(int node, PictureRemark remark, GraphPicture* picture) {
  if (node >= static_cast<int>(picture->nodes.size())) return;
  (node < 0 ? picture->remarks : picture->nodes[node].remarks)
      .push_back(std::move(remark));
}

}  // namespace syncline
