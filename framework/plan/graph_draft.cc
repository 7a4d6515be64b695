#include "framework/plan/graph_draft.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "framework/calculator/contract.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/graph_errors.h"
#include "framework/expansion/node_origin.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// What a draft's pointers point to.
struct Owned {
  std::shared_ptr<const PlanTables> tables;
  std::vector<std::unique_ptr<CalculatorContract>> contracts;
};

using OriginKey = std::tuple<int, int, OriginField>;

OriginKey KeyOf(const NodeOrigin& origin) {
  return {origin.expansion, origin.index, origin.field};
}

DraftNode NodeOf(const CompileState& state, int id) {
  const NodeDraft& from = state.drafts[id];
  DraftNode node;
  node.config = &state.node(id);
  node.contract = from.contract.get();
  node.is_known = from.factory != nullptr;
  node.is_described = from.described;
  node.place = state.origins.Place(from.origin);
  node.subgraph = from.origin.expansion - 1;
  node.executor = from.executor;
  node.is_source = from.is_source();
  node.conditions = from.conditions;
  node.inputs.assign(from.inputs.begin(), from.inputs.end());
  node.outputs.assign(from.outputs.begin(), from.outputs.end());
  node.input_side_packets.assign(from.input_side_packets.begin(),
                                 from.input_side_packets.end());
  node.output_side_packets.assign(from.output_side_packets.begin(),
                                  from.output_side_packets.end());
  return node;
}

template <typename Draft>
DraftStream StreamOf(const Draft& from) {
  return {.name = std::string(from.name),
          .producer = from.producer,
          .type = from.type};
}

std::vector<DraftError> ErrorsOf(const CompileState& state,
                                 const GraphErrors& errors) {
  std::map<OriginKey, int> nodes;
  for (int id = 0; id < static_cast<int>(state.drafts.size()); ++id) {
    nodes.try_emplace(KeyOf(state.drafts[id].origin), id);
  }
  std::vector<DraftError> found;
  for (const GraphErrors::RecordedError& error : errors.kept()) {
    DraftError draft = {.text = std::string(error.status.message())};
    if (error.origin.has_value()) {
      const auto node = nodes.find(KeyOf(*error.origin));
      if (node != nodes.end()) draft.node = node->second;
    }
    found.push_back(std::move(draft));
  }
  return found;
}

}  // namespace

GraphDraft DraftGraph(GraphSource source, const CompileOptions& options) {
  NormalizeNames(&source.config);
  ExpandedGraph graph(options, options.SubgraphTypes(), std::move(source));
  graph.is_draft = true;
  ExpandSubgraphs(&graph);
  const bool gave_up = graph.gave_up;
  const GraphErrors of_expansion = graph.errors;
  CompileState state(std::move(graph));
  RunPasses(&state);

  GraphDraft draft;
  for (int id = 0; id < static_cast<int>(state.drafts.size()); ++id) {
    draft.nodes.push_back(NodeOf(state, id));
  }
  for (const StreamDraft& stream : state.streams) {
    draft.streams.push_back(StreamOf(stream));
  }
  for (const SidePacketDraft& side_packet : state.side_packets) {
    draft.side_packets.push_back(StreamOf(side_packet));
  }
  draft.subgraphs = SubgraphsOf(state.origins);
  draft.executors = state.tables->executors;
  draft.graph_outputs = state.tables->graph_outputs;
  // What the passes find wrong in a part of a graph is no fault of the graph.
  const GraphErrors& errors = gave_up ? of_expansion : state.errors;
  draft.errors = ErrorsOf(state, errors);
  draft.num_errors = errors.count();
  draft.warnings = state.warnings;
  draft.config = &state.config();

  auto owned = std::make_shared<Owned>();
  owned->tables = state.tables;
  for (NodeDraft& node : state.drafts) {
    owned->contracts.push_back(std::move(node.contract));
  }
  draft.owner = std::move(owned);
  return draft;
}

}  // namespace syncline
