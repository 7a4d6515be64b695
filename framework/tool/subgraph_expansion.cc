#include "framework/tool/subgraph_expansion.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/subgraph_connections.h"
#include "framework/expansion/subgraph_fields.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace tool {
namespace {

using Names = google::protobuf::RepeatedPtrField<std::string>;
using Transform = std::function<std::string(absl::string_view)>;

// The fused nodes of `node` whose names are names of the graph. After `node`
// was lowered, the names in them are private to it: see
// expansion/lower_fused.h.
std::vector<CalculatorGraphConfig::Node*> FusedWithNamesOfGraph(
    CalculatorGraphConfig::Node* node) {
  std::vector<CalculatorGraphConfig::Node*> fused;
  if (node->calculator() == kFusedNodeType) return fused;
  for (auto& part : *node->mutable_fused_node()) fused.push_back(&part);
  return fused;
}

}  // namespace

absl::Status TransformStreamNames(Names* streams, const Transform& transform) {
  for (std::string& stream : *streams) {
    std::string tag;
    std::string name;
    int index;
    SYNCLINE_RETURN_IF_ERROR(ParseTagIndexName(stream, &tag, &index, &name));
    stream.replace(stream.size() - name.size(), name.size(), transform(name));
  }
  return absl::OkStatus();
}

absl::Status TransformNames(CalculatorGraphConfig* config,
                            const Transform& transform) {
  if (config->packet_factory_size() > 0) {
    return absl::InvalidArgumentError(
        "the graph has a packet_factory, which is not supported: replace it by "
        "a node that makes side packets.");
  }
  std::vector<Names*> lists = {config->mutable_input_stream(),
                               config->mutable_output_stream(),
                               config->mutable_input_side_packet(),
                               config->mutable_output_side_packet()};
  const std::vector<std::string> names = CanonicalNames(config->node());
  const auto add = [&lists](CalculatorGraphConfig::Node* node) {
    lists.insert(lists.end(),
                 {node->mutable_input_stream(), node->mutable_output_stream(),
                  node->mutable_input_side_packet(),
                  node->mutable_output_side_packet()});
  };
  for (int i = 0; i < config->node_size(); ++i) {
    auto* node = config->mutable_node(i);
    node->set_name(transform(names[i]));
    add(node);
    for (auto* const fused : FusedWithNamesOfGraph(node)) add(fused);
  }
  for (auto& generator : *config->mutable_packet_generator()) {
    lists.push_back(generator.mutable_input_side_packet());
    lists.push_back(generator.mutable_output_side_packet());
  }
  for (auto& handler : *config->mutable_status_handler()) {
    lists.push_back(handler.mutable_input_side_packet());
  }
  for (Names* list : lists) {
    SYNCLINE_RETURN_IF_ERROR(TransformStreamNames(list, transform));
  }
  return absl::OkStatus();
}

absl::Status FindCorrespondingStreams(
    std::map<std::string, std::string>* stream_map, const Names& src_streams,
    const Names& dst_streams) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<const PortLayout> inner,
                            PortLayout::Create(src_streams));
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<const PortLayout> outer,
                            PortLayout::Create(dst_streams));
  for (const std::string& tag : outer->GetTags()) {
    SYNCLINE_RETURN_IF_ERROR(CheckSubgraphTag("port", tag, *outer, *inner));
    for (int i = 0; i < outer->NumEntries(tag); ++i) {
      (*stream_map)[std::string(inner->Name(tag, i))] =
          std::string(outer->Name(tag, i));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateSubgraphFields(const CalculatorGraphConfig::Node& node) {
  const std::vector<absl::string_view> fields = ForbiddenSubgraphFields(node);
  if (fields.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(NodeLabel(node), ": ", OnlyForCalculatorsText(fields)));
}

absl::Status ConnectSubgraphStreams(const CalculatorGraphConfig::Node& node,
                                    CalculatorGraphConfig* config) {
  SubgraphConnections names("");
  // `names` refers to the text of the config's interface, which this function
  // does not change.
  for (const absl::Status& mismatch : names.Match(node, *config)) {
    return absl::Status(mismatch.code(), absl::StrCat(NodeLabel(node), ": ",
                                                      mismatch.message()));
  }
  for (auto& inner : *config->mutable_node()) {
    const std::string name = inner.name();
    names.Apply(name, &inner);
    for (auto* const fused : FusedWithNamesOfGraph(&inner)) {
      const std::string fused_name = fused->name();
      names.Apply(fused_name, fused);
    }
  }
  for (auto& generator : *config->mutable_packet_generator()) {
    names.Apply(&generator);
  }
  for (auto& handler : *config->mutable_status_handler()) {
    names.Apply(&handler);
  }
  return absl::OkStatus();
}

absl::Status ExpandSubgraphs(CalculatorGraphConfig* config,
                             const GraphRegistry* graph_registry,
                             const Subgraph::SubgraphOptions* graph_options,
                             const GraphServiceManager* service_manager) {
  SYNCLINE_ASSIGN_OR_RETURN(
      *config, ExpandConfig(*config, {.registry = graph_registry,
                                      .graph_options = graph_options,
                                      .services = service_manager}));
  return absl::OkStatus();
}

CalculatorGraphConfig MakeSingleNodeGraph(CalculatorGraphConfig::Node node) {
  CalculatorGraphConfig config;
  *config.mutable_input_stream() = node.input_stream();
  *config.mutable_output_stream() = node.output_stream();
  *config.mutable_input_side_packet() = node.input_side_packet();
  *config.mutable_output_side_packet() = node.output_side_packet();
  *config.add_node() = std::move(node);
  return config;
}

}  // namespace tool
}  // namespace syncline
