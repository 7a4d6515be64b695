// A graph while its subgraphs are expanded, and after that: its config, where
// every part of it was written, and what is wrong with it.
//
// ExpandSubgraphs works on one; the passes of Compile go on from there, in the
// CompileState that is made of it.
//
// Thread rule: belongs to one call of Compile or ExpandConfig on one thread.
// Tested by expanded_graph_test and expand_subgraphs_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_EXPANDED_GRAPH_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_EXPANDED_GRAPH_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/graph_errors.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/node_origin.h"
#include "framework/graph_text/graph_source.h"

namespace syncline {

struct ExpandedGraph {
  // Borrows the options and the registry.
  ExpandedGraph(const CompileOptions& options, const GraphRegistry& registry,
                GraphSource source)
      : options(options),
        registry(registry),
        expanded(std::move(source.config)),
        origins(std::move(source.positions)) {}

  // Records `file:line: label: message (in subgraph ...)` for what stands at
  // `origin` and is called `label`.
  void ErrorAt(NodeOrigin origin, absl::string_view label,
               const absl::Status& error);
  void WarningAt(NodeOrigin origin, absl::string_view label,
                 absl::string_view message);

  // Does not blame those who read these outputs: their producer is wrong.
  void Excuse(const google::protobuf::RepeatedPtrField<std::string>& ports);

  const CompileOptions& options;
  const GraphRegistry& registry;

  // The config as it was given, until ExpandSubgraphs returns.
  CalculatorGraphConfig expanded;

  // The graph is made to be shown, and not to be run: subgraph nodes that do
  // not expand stay as nodes, and a type that nobody knows is no error.
  bool is_draft = false;

  GraphErrors errors;
  std::vector<std::string> warnings;
  // The config is not complete: further passes would report only consequences.
  bool gave_up = false;

  OriginTable origins;
  // In step with the fields of the expanded config.
  std::vector<NodeOrigin> node_origins;
  std::vector<NodeOrigin> generator_origins;
  std::vector<NodeOrigin> status_handler_origins;

  // Streams and side packets whose producer failed to expand or to parse: that
  // is reported once, and their readers are not blamed.
  HashSet<std::string> excused_names;
  // Outputs of subgraph nodes that nothing inside produces, with the label of
  // the subgraph node.
  HashMap<std::string, std::string> unproduced_names;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_EXPANDED_GRAPH_H_
