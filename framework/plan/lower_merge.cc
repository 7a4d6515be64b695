// LowerMerge: several streams into one input, by a node in between.
//
//   node { name: "n" calculator: "Sink"
//          input_stream: "IN:0:a" input_stream: "IN:1:b"
//          input_stream_info { tag_index: "IN" merge: true } }
//
// becomes
//
//   node { name: "__merge_IN_of_n" calculator: "MergeInputsCalculator"
//          input_stream: "a" input_stream: "b"
//          output_stream: "a_and_1_more" }
//   node { name: "n" calculator: "Sink" input_stream: "IN:a_and_1_more" }
//
// so that calculator, contract, handlers, conditions and queues know of one
// stream. What else input_stream_info says of "IN" holds for this stream. For
// the streams that are merged, "IN:1" and so on, it can say back_edge.
//
// An input with a single stream stays as it is. Runs after LowerLegacy, which
// gives nodes the graph's input stream handler.
//
// Tested by lower_merge_test; in a run, by merge_graph_test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/node_origin.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

constexpr char kMergeType[] = "MergeInputsCalculator";
constexpr char kMergeHandler[] = "ArrivalOrderInputStreamHandler";

struct Port {
  std::string tag;
  int index = 0;
  std::string name;
};

// False for what ParsePorts will report.
bool ParsePort(const std::string& text, Port* port) {
  return tool::ParseTagIndexName(text, &port->tag, &port->index, &port->name)
      .ok();
}

// Only how many when they are many.
std::string PortsText(const Node& node) {
  constexpr int kMostShown = 20;
  if (node.input_stream().empty()) return "none at all";
  return node.input_stream_size() <= kMostShown
             ? absl::StrJoin(node.input_stream(), ", ")
             : absl::StrCat(node.input_stream_size(), " input streams");
}

bool HasMerge(const Node& node) {
  return absl::c_any_of(
      node.input_stream_info(),
      [](const InputStreamInfo& info) { return info.merge(); });
}

class MergePass {
 public:
  explicit MergePass(CompileState* state) : state_(*state) {}

  void Run() {
    CalculatorGraphConfig& config = state_.config();
    if (absl::c_none_of(config.node(), HasMerge)) return;
    NoteNames();
    auto* nodes = config.mutable_node();
    std::vector<Node*> taken(nodes->size());
    std::vector<std::unique_ptr<Node>> old(nodes->size());
    nodes->ExtractSubrange(0, nodes->size(), taken.data());
    for (size_t i = 0; i < old.size(); ++i) old[i].reset(taken[i]);
    // Errors name nodes by their place, so all are told at the end.
    std::vector<NodeDraft> drafts;
    for (size_t i = 0; i < old.size(); ++i) {
      const NodeOrigin origin = state_.drafts[i].origin;
      merged_.clear();
      problems_.clear();
      if (HasMerge(*old[i])) LowerNode(old[i].get());
      for (Node& node : merged_) {
        *nodes->Add() = std::move(node);
        drafts.emplace_back().origin = origin;
        drafts.back().ports_moved = true;
      }
      drafts.push_back(std::move(state_.drafts[i]));
      if (!merged_.empty()) drafts.back().ports_moved = true;
      for (std::string& problem : problems_) {
        errors_.emplace_back(nodes->size(), std::move(problem));
      }
      nodes->AddAllocated(old[i].release());
    }
    state_.drafts = std::move(drafts);
    for (const auto& [node, problem] : errors_) {
      state_.NodeError(node, problem);
    }
  }

 private:
  void NoteNames() {
    Port port;
    const auto note = [&](const auto& ports) {
      for (const std::string& text : ports) {
        if (ParsePort(text, &port)) names_.insert(port.name);
      }
    };
    note(state_.config().input_stream());
    for (const Node& node : state_.config().node()) {
      note(node.output_stream());
    }
  }

  // Merges what `node` says, and removes it from there.
  void LowerNode(Node* node) {
    auto* infos = node->mutable_input_stream_info();
    // Infos of single streams may come before or after the info of the merge.
    moved_.assign(infos->size(), false);
    for (InputStreamInfo& info : *infos) {
      if (!info.merge()) continue;
      info.set_merge(false);
      const std::string problem = Merge(info, node);
      if (problem.empty()) continue;
      problems_.push_back(absl::StrCat("input_stream_info for tag_index ",
                                       Quoted(info.tag_index()),
                                       ": merge: ", problem, "."));
    }
    for (int i = infos->size() - 1; i >= 0; --i) {
      if (moved_[i]) infos->DeleteSubrange(i, 1);
    }
  }

  // What is wrong, or "".
  std::string Merge(const InputStreamInfo& info, Node* node) {
    const std::string& tag = info.tag_index();
    if (absl::string_view(tag).find(':') != absl::string_view::npos) {
      return "tag_index has to be the tag alone, without an index, since all "
             "streams of the tag flow into one";
    }
    if (state_.config().deterministic()) {
      return "which packet comes first differs from run to run, so a graph "
             "with deterministic: true cannot have it. Give each stream an "
             "input of its own: what is processed together then depends on "
             "timestamps alone";
    }
    if (info.back_edge()) {
      return absl::StrCat(
          "say which of its streams closes the loop, as input_stream_info { "
          "tag_index: \"",
          tag, ":1\" back_edge: true }");
    }
    std::vector<Port> ports = PortsOf(tag, *node);
    if (ports.empty()) {
      return absl::StrCat("the node has no input stream of that tag; it has ",
                          PortsText(*node));
    }
    const auto same = absl::c_adjacent_find(
        ports, [](const Port& a, const Port& b) { return a.index == b.index; });
    if (same != ports.end()) {
      return absl::StrCat("it has two streams ", tag, ":", same->index,
                          "; number them ", tag, ":0, ", tag, ":1, ...");
    }
    std::string stream = ports[0].name;
    if (ports.size() > 1) {
      stream = NewName(ports);
      Node merging = MergingNode(tag, *node, ports, stream);
      std::string problem =
          MoveInfos(tag, ports, node->input_stream_info(), &merging);
      if (!problem.empty()) return problem;
      merged_.push_back(std::move(merging));
    }
    ReplacePorts(tag, stream, node);
    return "";
  }

  static std::vector<Port> PortsOf(const std::string& tag, const Node& node) {
    std::vector<Port> ports;
    int next = 0;
    for (const std::string& text : node.input_stream()) {
      Port port;
      if (!ParsePort(text, &port) || port.tag != tag) continue;
      // Without a tag they are numbered.
      if (port.index < 0) port.index = next++;
      ports.push_back(std::move(port));
    }
    absl::c_sort(
        ports, [](const Port& a, const Port& b) { return a.index < b.index; });
    return ports;
  }

  std::string NewName(const std::vector<Port>& ports) {
    const std::string base =
        absl::StrCat(ports[0].name, "_and_", ports.size() - 1, "_more");
    // Many nodes may merge the same streams: each goes on where the last ended.
    int& last = last_numbers_[base];
    for (;;) {
      std::string name = ++last == 1 ? base : absl::StrCat(base, "_", last);
      if (names_.insert(name).second) return name;
    }
  }

  static Node MergingNode(const std::string& tag, const Node& node,
                          const std::vector<Port>& ports,
                          const std::string& stream) {
    Node merging;
    merging.set_name(absl::StrCat("__merge_", tag.empty() ? "inputs" : tag,
                                  "_of_", BaseName(node)));
    merging.set_calculator(kMergeType);
    for (const Port& port : ports) merging.add_input_stream(port.name);
    merging.add_output_stream(stream);
    // Not what the graph says for all nodes.
    merging.mutable_input_stream_handler()->set_input_stream_handler(
        kMergeHandler);
    merging.set_executor(node.executor());
    if (node.has_log_level()) merging.set_log_level(node.log_level());
    return merging;
  }

  // What `infos` say of the streams that are merged, goes to the merging node.
  std::string MoveInfos(
      const std::string& tag, const std::vector<Port>& ports,
      const google::protobuf::RepeatedPtrField<InputStreamInfo>& infos,
      Node* merging) {
    std::vector<InputStreamInfo> theirs(ports.size());
    for (int i = 0; i < infos.size(); ++i) {
      const InputStreamInfo& info = infos[i];
      std::string info_tag;
      int index = 0;
      if (info.tag_index().find(':') == std::string::npos ||
          !tool::ParseTagIndex(info.tag_index(), &info_tag, &index).ok() ||
          info_tag != tag) {
        continue;
      }
      const auto port = absl::c_find_if(
          ports, [index](const Port& port) { return port.index == index; });
      if (port == ports.end()) continue;  // ConnectPorts will report it
      InputStreamInfo rest = info;
      rest.clear_tag_index();
      rest.clear_back_edge();
      if (rest.ByteSizeLong() > 0) {
        return absl::StrCat("of the single stream ", Quoted(info.tag_index()),
                            " input_stream_info can say back_edge only; what "
                            "else there is to say is said of ",
                            Quoted(tag));
      }
      theirs[port - ports.begin()].set_back_edge(info.back_edge());
      moved_[i] = true;
    }
    for (size_t i = 0; i < theirs.size(); ++i) {
      if (theirs[i].ByteSizeLong() == 0) continue;
      theirs[i].set_tag_index(absl::StrCat(":", i));
      *merging->add_input_stream_info() = theirs[i];
    }
    return "";
  }

  static void ReplacePorts(const std::string& tag, const std::string& stream,
                           Node* node) {
    std::vector<std::string> ports;
    bool is_there = false;
    for (const std::string& text : node->input_stream()) {
      Port port;
      if (!ParsePort(text, &port) || port.tag != tag) {
        ports.push_back(text);
      } else if (!std::exchange(is_there, true)) {
        ports.push_back(tag.empty() ? stream : absl::StrCat(tag, ":", stream));
      }
    }
    node->mutable_input_stream()->Assign(ports.begin(), ports.end());
  }

  CompileState& state_;
  // The names of all streams.
  HashSet<std::string> names_;
  HashMap<std::string, int> last_numbers_;  // of new names
  // For the node that is being looked at.
  std::vector<Node> merged_;
  std::vector<std::string> problems_;
  std::vector<bool> moved_;  // of its input_stream_info
  // By place of the node.
  std::vector<std::pair<int, std::string>> errors_;
};

}  // namespace

bool MergesInputs(const CalculatorGraphConfig::Node& node) {
  return node.calculator() == kMergeType;
}

void LowerMerge(CompileState* state) { MergePass(state).Run(); }

}  // namespace syncline
