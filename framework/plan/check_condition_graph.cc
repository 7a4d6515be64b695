#include "framework/plan/check_condition_graph.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"

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
        room.producer.node, absl::StatusCode::kInvalidArgument,
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

// The conditions that start others, as a graph. Numbered in the order in which
// contracts name them.
class ConditionTree {
 public:
  explicit ConditionTree(CompileState* state) : state_(*state) {}

  void Check() {
    AddAll();
    colors_.resize(names_.size(), Color::kNew);
    for (int i = 0; i < static_cast<int>(names_.size()); ++i) {
      if (colors_[i] == Color::kNew) Visit(i);
    }
  }

 private:
  enum class Color : std::uint8_t { kNew, kOnPath, kDone };

  void AddAll() {
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      const auto& contract = state_.drafts[i].contract;
      if (contract == nullptr) continue;
      for (const auto& [name, child] : contract->GetConditionChildren()) {
        const int parent =
            Number(absl::StrCat(contract->GetNodeName(), "/", name));
        const int number = Number(child);
        children_[parent].push_back(number);
        nodes_[parent] = i;
      }
    }
  }

  int Number(const std::string& name) {
    const auto [found, is_new] =
        numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (is_new) {
      names_.push_back(name);
      children_.emplace_back();
      nodes_.push_back(-1);
    }
    return found->second;
  }

  // Trees may be deeper than a stack.
  void Visit(int root) {
    struct Step {
      int condition = 0;
      size_t next_child = 0;
    };
    std::vector<Step> path = {{root}};
    colors_[root] = Color::kOnPath;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next_child == children_[step.condition].size()) {
        colors_[step.condition] = Color::kDone;
        path.pop_back();
        continue;
      }
      const int child = children_[step.condition][step.next_child++];
      if (colors_[child] == Color::kNew) {
        colors_[child] = Color::kOnPath;
        path.push_back({child});
      } else if (colors_[child] == Color::kOnPath) {
        std::vector<int> cycle;
        for (const Step& on_path : path) cycle.push_back(on_path.condition);
        Report(cycle, child);
      }
    }
  }

  // `path` ends with the condition that starts `first`, which is on it.
  void Report(const std::vector<int>& path, int first) {
    constexpr size_t kMaxShown = 20;
    size_t at = 0;
    while (path[at] != first) ++at;
    std::string text;
    for (size_t i = at; i < path.size() && i < at + kMaxShown; ++i) {
      absl::StrAppend(&text, Quoted(names_[path[i]]), " starts ");
    }
    if (path.size() - at > kMaxShown) text += "others, the last of which ";
    state_.NodeError(
        nodes_[first], absl::StatusCode::kInvalidArgument,
        absl::StrCat("a cycle of conditions that start each other: ", text,
                     Quoted(names_[first]),
                     ". The run would never end; remove one of them from the "
                     "children of the other."));
  }

  CompileState& state_;
  HashMap<std::string, int> numbers_;
  std::vector<std::string> names_;  // "NODE/CONDITION"
  std::vector<std::vector<int>> children_;
  std::vector<int> nodes_;  // -1: starts nothing
  std::vector<Color> colors_;
};

}  // namespace

void CheckConditionGraph(CompileState* state) {
  CheckRooms(state);
  ConditionTree(state).Check();
}

}  // namespace syncline
