// Refuses conditions on other nodes that can never be met:
//
//   - room for more packets than a reader's queue may ever hold: the node would
//     never be called
//   - a condition that starts itself, such as the root of a behaviour tree that
//     is its own descendant: the run would never end
//
// Tested by check_condition_graph_test.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/topological_sort.h"

namespace syncline {
namespace {

// The reader of a stream that holds the fewest packets.
struct SmallestQueue {
  PortRef reader;
  int packets = 0;
};

using SmallestQueues = HashMap<int, SmallestQueue>;

// By stream; without those that nothing limits.
SmallestQueues FindSmallestQueues(const CompileState& state) {
  SmallestQueues smallest;
  const int default_size = state.tables->settings.max_queue_size;
  for (int i = 0; i < static_cast<int>(state.drafts.size()); ++i) {
    for (int port = 0; port < static_cast<int>(state.drafts[i].inputs.size());
         ++port) {
      const InputDraft& input = state.drafts[i].inputs[port];
      const int size =
          input.max_queue_size > 0 ? input.max_queue_size : default_size;
      if (input.stream < 0 || size < 0) continue;
      const auto [found, is_new] =
          smallest.try_emplace(input.stream, SmallestQueue{{i, port}, size});
      if (!is_new && size < found->second.packets) {
        found->second = {{i, port}, size};
      }
    }
  }
  return smallest;
}

void CheckRooms(CompileState* state) {
  if (state->watched_rooms.empty()) return;
  const SmallestQueues queues = FindSmallestQueues(*state);
  for (const WatchedRoom& room : state->watched_rooms) {
    const int stream =
        state->drafts[room.producer.node].outputs[room.producer.port];
    const auto found = queues.find(stream);
    if (found == queues.end() || room.min_room <= found->second.packets) {
      continue;
    }
    const auto& [reader, packets] = found->second;
    state->NodeError(
        room.producer.node,
        absl::StrCat(room.condition, " waits for room for ", room.min_room,
                     " packets at output_stream ",
                     Quoted(state->streams[stream].name), ", whose queue at ",
                     state->Label(reader.node), " never holds more than ",
                     packets,
                     ": it would never be ready. Set its "
                     "min_size to ",
                     packets, " or less, or a greater max_queue_size."));
  }
}

// `cycle` is of conditions that start each other; an arc's label is the node of
// the condition that it comes from.
void ReportCycle(const std::vector<Arc>& cycle,
                 const std::vector<std::string>& names, CompileState* state) {
  constexpr size_t kMaxShown = 20;
  std::string text;
  for (size_t i = 0; i < cycle.size() && i < kMaxShown; ++i) {
    absl::StrAppend(&text, Quoted(names[cycle[i].from]), " starts ");
  }
  if (cycle.size() > kMaxShown) text += "others, the last of which ";
  state->NodeError(
      cycle[0].label,
      absl::StrCat("a cycle of conditions that start each other: ", text,
                   Quoted(names[cycle[0].from]),
                   ". The run would never end; remove one of them from the "
                   "children of the other."));
}

// Conditions get numbers in the order in which contracts name them.
void CheckCycles(CompileState* state) {
  std::vector<std::string> names;  // "NODE/CONDITION"
  HashMap<std::string, int> numbers;
  const auto number = [&](const std::string& name) {
    const auto [found, is_new] =
        numbers.try_emplace(name, static_cast<int>(names.size()));
    if (is_new) names.push_back(name);
    return found->second;
  };
  std::vector<Arc> starts;
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    const auto& contract = state->drafts[i].contract;
    if (contract == nullptr) continue;
    for (const auto& [name, child] : contract->GetConditionChildren()) {
      const int parent =
          number(absl::StrCat(contract->GetNodeName(), "/", name));
      starts.push_back({parent, number(child), i});
    }
  }
  const NodeOrder order =
      SortTopologically(static_cast<int>(names.size()), starts);
  for (const auto& cycle : order.cycles) ReportCycle(cycle, names, state);
}

}  // namespace

void CheckConditionGraph(CompileState* state) {
  CheckRooms(state);
  CheckCycles(state);
}

}  // namespace syncline
