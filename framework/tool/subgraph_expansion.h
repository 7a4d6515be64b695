// The steps by which the contents of a subgraph replace a node.
//
// Compiling a graph does all of this. The single steps are here for programs
// that build graphs, and for tests of subgraphs.
//
// Thread rule: pure functions of their arguments and the registries.
// Tested by subgraph_expansion_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_SUBGRAPH_EXPANSION_H_
#define SYNCLINE_FRAMEWORK_TOOL_SUBGRAPH_EXPANSION_H_

#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/subgraph.h"
#include "google/protobuf/repeated_field.h"

namespace syncline {
namespace tool {

// Changes the names in "TAG:index:name" and leaves the tags and indexes.
// INVALID_ARGUMENT for a text that is not a port; the ports before it are
// changed then.
absl::Status TransformStreamNames(
    google::protobuf::RepeatedPtrField<std::string>* streams,
    const std::function<std::string(absl::string_view)>& transform);

// Changes the names of all streams, side packets and nodes of a graph, its
// interface included. A node without a name gets its canonical name, changed in
// the same way.
absl::Status TransformNames(
    CalculatorGraphConfig* config,
    const std::function<std::string(absl::string_view)>& transform);

// Adds an entry to `stream_map` for each name of a subgraph's interface: from
// its name in `src_streams`, the ports of the subgraph, to the name of the same
// tag and index in `dst_streams`, the ports of the node. INVALID_ARGUMENT if
// the node has a port that the subgraph does not have.
absl::Status FindCorrespondingStreams(
    std::map<std::string, std::string>* stream_map,
    const google::protobuf::RepeatedPtrField<std::string>& src_streams,
    const google::protobuf::RepeatedPtrField<std::string>& dst_streams);

// INVALID_ARGUMENT if the node has fields that only calculators have.
absl::Status ValidateSubgraphFields(
    const CalculatorGraphConfig::Node& subgraph_node);

// Replaces the names of the interface of `subgraph_config` by the names that
// the node gives, in all nodes inside. Inputs that the node leaves open are
// removed from the nodes inside. The interface itself is not changed.
absl::Status ConnectSubgraphStreams(
    const CalculatorGraphConfig::Node& subgraph_node,
    CalculatorGraphConfig* subgraph_config);

// Replaces all nodes that name subgraphs, at any depth, by the contents of
// these, and carries out option_values. A null `graph_registry` means the
// registered subgraphs. `graph_options` are the options of the whole graph.
// After an error, which lists everything that is wrong, `config` is unchanged.
absl::Status ExpandSubgraphs(
    CalculatorGraphConfig* config,
    const GraphRegistry* graph_registry = nullptr,
    const Subgraph::SubgraphOptions* graph_options = nullptr,
    const GraphServiceManager* service_manager = nullptr);

// A graph of this one node, whose ports are the interface of the graph.
CalculatorGraphConfig MakeSingleNodeGraph(
    CalculatorGraphConfig::Node subgraph_node);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_SUBGRAPH_EXPANSION_H_
