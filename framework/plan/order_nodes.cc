// Puts the nodes in an order in which producers come before consumers.
//
// If no consumer stands before its producer, the order of the config is kept.
// Otherwise the ready node with the smallest index comes next, again and again,
// so the order stays as close to the config as it can. Node ids are positions
// in this order, and they decide priority at run time. Back edges do not count.
//
// Nodes that wait for each other without a back edge are an error that lists
// the cycle by its names, with the stream that leads from each to the next.
//
// Tested by order_nodes_test.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"
#include "framework/plan/topological_sort.h"

namespace syncline {
namespace {

// Longer cycles are cut in the middle of the error text.
constexpr size_t kMaxShownCycle = 20;

// Labels: the stream id, or -1 - id for a side packet.
int SidePacketLabel(int id) { return -1 - id; }

std::string NameOf(const CompileState& state, int label) {
  if (label >= 0) {
    return absl::StrCat("stream ", Quoted(state.streams[label].name));
  }
  return absl::StrCat("side packet ",
                      Quoted(state.side_packets[-1 - label].name));
}

std::vector<Arc> ForwardArcs(const CompileState& state) {
  std::vector<Arc> arcs;
  for (int to = 0; to < static_cast<int>(state.drafts.size()); ++to) {
    const NodeDraft& draft = state.drafts[to];
    for (const InputDraft& input : draft.inputs) {
      if (input.stream < 0 || input.back_edge) continue;
      const int from = state.streams[input.stream].producer.node;
      if (from >= 0) arcs.push_back({from, to, input.stream});
    }
    for (int side_packet : draft.input_side_packets) {
      if (side_packet < 0) continue;
      const int from = state.side_packets[side_packet].producer.node;
      if (from >= 0) arcs.push_back({from, to, SidePacketLabel(side_packet)});
    }
  }
  return arcs;
}

void ReportCycle(const std::vector<Arc>& cycle, CompileState* state) {
  std::string text =
      cycle.size() == 1
          ? std::string("a node depends on itself: cycle detected: ")
          : std::string("nodes wait for each other: cycle detected: ");
  for (size_t i = 0; i < cycle.size(); ++i) {
    if (i == kMaxShownCycle / 2 && cycle.size() > kMaxShownCycle) {
      const size_t skipped = cycle.size() - kMaxShownCycle;
      absl::StrAppend(&text, "... ", skipped, " more nodes ... -> ");
      i += skipped - 1;
      continue;
    }
    absl::StrAppend(&text, state->Label(cycle[i].from), " -> [",
                    NameOf(*state, cycle[i].label), "] -> ");
  }
  absl::StrAppend(
      &text, state->Label(cycle[0].from),
      ". Mark the input that closes the loop with "
      "`input_stream_info { tag_index: \"...\" back_edge: true }`.");
  state->NodeError(cycle[0].from, absl::UnknownError(text));
}

void Apply(const std::vector<int>& order, CompileState* state) {
  const int count = static_cast<int>(order.size());
  std::vector<int> new_index(count);
  for (int i = 0; i < count; ++i) new_index[order[i]] = i;

  std::vector<NodeDraft> drafts;
  drafts.reserve(count);
  for (int old_index : order) {
    drafts.push_back(std::move(state->drafts[old_index]));
  }
  state->drafts = std::move(drafts);

  auto* nodes = state->config().mutable_node();
  std::vector<CalculatorGraphConfig::Node*> extracted(count);
  nodes->ExtractSubrange(0, count, extracted.data());
  for (int old_index : order) nodes->AddAllocated(extracted[old_index]);

  const auto renumber = [&new_index](auto& products) {
    for (auto& product : products) {
      int& node = product.producer.node;
      if (node >= 0) node = new_index[node];
    }
  };
  renumber(state->streams);
  renumber(state->side_packets);
}

void WarnOfUnnecessaryBackEdges(CompileState* state) {
  for (int to = 0; to < static_cast<int>(state->drafts.size()); ++to) {
    for (const InputDraft& input : state->drafts[to].inputs) {
      if (input.stream < 0 || !input.back_edge) continue;
      const StreamDraft& stream = state->streams[input.stream];
      if (stream.producer.node >= to) continue;
      state->NodeWarning(
          to, absl::StrCat("input stream ", Quoted(stream.name),
                           " is marked as a back edge, but its producer comes "
                           "first anyway: back edge might be unnecessary."));
    }
  }
}

}  // namespace

void OrderNodes(CompileState* state) {
  const std::vector<Arc> arcs = ForwardArcs(*state);
  const bool sorted_already =
      absl::c_all_of(arcs, [](const Arc& arc) { return arc.from < arc.to; });
  if (!sorted_already) {
    const NodeOrder order =
        SortTopologically(static_cast<int>(state->drafts.size()), arcs);
    if (!order.cycles.empty()) {
      for (const auto& cycle : order.cycles) ReportCycle(cycle, state);
      return;
    }
    Apply(order.order, state);
    state->reordered = true;
  }
  WarnOfUnnecessaryBackEdges(state);
}

}  // namespace syncline
