// Subgraphs by hand: the steps by which a subgraph takes the place of a node.
//
// Graphs do all of this when they are compiled. The steps are here for programs
// that put graphs together, and for tests of subgraphs.
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

// Changes the names in "TAG:index:name", and leaves the rest. INVALID_ARGUMENT
// for what is no port name; those before it are changed then.
absl::Status TransformStreamNames(
    google::protobuf::RepeatedPtrField<std::string>* streams,
    const std::function<std::string(absl::string_view)>& transform);

// Changes the names of all streams, side packets and nodes of a graph, its
// interface included. A node without a name gets its changed canonical one.
absl::Status TransformNames(
    CalculatorGraphConfig* config,
    const std::function<std::string(absl::string_view)>& transform);

// Adds to `stream_map` what each name of a subgraph's interface is called
// outside, by tag and index: name in `src_streams` to name in `dst_streams`,
// which are those of the node. INVALID_ARGUMENT where the node has what the
// subgraph has not.
absl::Status FindCorrespondingStreams(
    std::map<std::string, std::string>* stream_map,
    const google::protobuf::RepeatedPtrField<std::string>& src_streams,
    const google::protobuf::RepeatedPtrField<std::string>& dst_streams);

// INVALID_ARGUMENT if the node has fields that only calculators have.
absl::Status ValidateSubgraphFields(
    const CalculatorGraphConfig::Node& subgraph_node);

// Gives the interface of `subgraph_config` the names of the node, in all nodes
// inside; inputs that the node leaves open vanish from them. The interface
// itself stays as it is.
absl::Status ConnectSubgraphStreams(
    const CalculatorGraphConfig::Node& subgraph_node,
    CalculatorGraphConfig* subgraph_config);

// Replaces all nodes that name subgraphs, at any depth, by the contents of
// these, and carries out option_values. `graph_registry` null: the registered
// subgraphs. `graph_options` are those of the graph as a whole. After an error,
// which names all that is wrong, `config` is as it was.
absl::Status ExpandSubgraphs(
    CalculatorGraphConfig* config,
    const GraphRegistry* graph_registry = nullptr,
    const Subgraph::SubgraphOptions* graph_options = nullptr,
    const GraphServiceManager* service_manager = nullptr);

// A graph of this one node, with all its ports as interface.
CalculatorGraphConfig MakeSingleNodeGraph(
    CalculatorGraphConfig::Node subgraph_node);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_SUBGRAPH_EXPANSION_H_
