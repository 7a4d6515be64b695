// Which sources can feed each node.
//
// A source is a graph input or a source node. Back-pressure holds it back when
// a queue fills up. A node's set is the union of its inputs' producers' sets.
// Nodes are visited in id order, so a back edge brings what its producer is
// known to depend on by then.
//
// Runs after OrderNodes; fills PlanTables::sources and the set ids in nodes and
// streams.
//
// Tested by trace_sources_test.

#include <vector>

#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/source_sets.h"

namespace syncline {
namespace {

void SetSources(int source_set, NodeDraft* draft, CompileState* state) {
  draft->source_set = source_set;
  for (int stream : draft->outputs) {
    if (stream >= 0) state->streams[stream].source_set = source_set;
  }
}

}  // namespace

void TraceSources(CompileState* state) {
  PlanTables& tables = *state->tables;
  SourceSets& sets = tables.source_sets;

  for (PlanGraphInput& input : tables.graph_inputs) {
    input.source = static_cast<int>(tables.sources.size());
    tables.sources.push_back(
        {.graph_input = state->streams[input.stream].producer.port});
    state->streams[input.stream].source_set = sets.Single(input.source);
  }

  // Source nodes first: a back edge may lead from one with a higher id.
  for (int id = 0; id < static_cast<int>(state->drafts.size()); ++id) {
    NodeDraft& draft = state->drafts[id];
    if (!draft.is_source()) continue;
    draft.source = static_cast<int>(tables.sources.size());
    tables.sources.push_back({.node = id});
    SetSources(sets.Single(draft.source), &draft, state);
  }

  std::vector<int> feeding;
  for (NodeDraft& draft : state->drafts) {
    if (draft.inputs.empty()) continue;
    feeding.clear();
    for (const InputDraft& input : draft.inputs) {
      if (input.stream < 0) continue;
      feeding.push_back(state->streams[input.stream].source_set);
    }
    SetSources(sets.Union(feeding), &draft, state);
  }
}

}  // namespace syncline
