// The names of nodes: canonical ones, and those for error texts.
//
// The canonical name of a node is its configured name, or its calculator type.
// Where several nodes of one graph share that string, all of them get "_1",
// "_2", ... in order of appearance.
//
// Thread rule: pure functions.
// Tested by node_names_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_NODE_NAMES_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_NODE_NAMES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

using NodeList =
    google::protobuf::RepeatedPtrField<CalculatorGraphConfig::Node>;

// The calculator that runs the fused_node entries of a node; see lower_fused.h.
inline constexpr char kFusedNodeType[] = "FusedNode";

// The configured name, or the calculator type of an unnamed node.
const std::string& BaseName(const CalculatorGraphConfig::Node& node);

// The canonical names of nodes with these base names, by position. `earlier`
// says how many nodes before these have each base name. Takes linear time.
std::vector<std::string> NumberedNames(
    const std::vector<absl::string_view>& bases,
    const HashMap<absl::string_view, int>& earlier);
// Canonical names of all nodes of a graph, by position.
std::vector<std::string> CanonicalNames(const NodeList& nodes);

// A node of nothing but names and numbers, without messages, as most nodes of
// large graphs are.
bool HasNoMessages(const CalculatorGraphConfig::Node& node);
// The number of fields that HasNoMessages looks at, with profiler_config, which
// nothing reads.
inline constexpr int kMessageFieldsOfNode = 10;

// How a node is called where it may have no name: the configured name, or
// `[Type, input stream: a, and output streams: <b,c>]`.
std::string DebugName(const CalculatorGraphConfig::Node& node);

// `node "name" (Type)`, or `node [Type, ...]` for an unnamed one. Bytes that
// are not printable are escaped, very long names cut.
std::string NodeLabel(const CalculatorGraphConfig::Node& node);

// `name` in double quotes, escaped and cut in the same way.
std::string Quoted(absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_NODE_NAMES_H_
