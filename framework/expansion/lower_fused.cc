#include "framework/expansion/lower_fused.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/expansion/subgraph_fields.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;
using Ports = google::protobuf::RepeatedPtrField<std::string>;

// The type with the package in which it is found, if there is one. Without it,
// the calculator that runs the parts would not find the type.
std::string WholeType(absl::string_view package, const std::string& type) {
  while (!package.empty()) {
    const std::string whole = absl::StrCat(package, ".", type);
    if (CalculatorBaseRegistry::IsRegistered(whole)) {
      return absl::StrCat(".", whole);
    }
    const size_t dot = package.rfind('.');
    package = dot == absl::string_view::npos ? "" : package.substr(0, dot);
  }
  return type;
}

class Lowering {
 public:
  explicit Lowering(Node* node) : node_(*node) {}

  std::vector<absl::Status> Run(
      absl::string_view package,
      absl::FunctionRef<bool(const std::string& type)> is_subgraph) {
    for (Node& part : *node_.mutable_fused_node()) {
      CheckPart(part, is_subgraph);
      part.set_calculator(WholeType(package, part.calculator()));
    }
    NoteProducers();
    for (int i = 0; i < node_.fused_node_size(); ++i) {
      Node* const part = node_.mutable_fused_node(i);
      AddInputs(i, part->input_stream(), "stream", streams_made_,
                node_.mutable_input_stream());
      AddInputs(i, part->input_side_packet(), "side packet", side_packets_made_,
                node_.mutable_input_side_packet());
      MoveInfos(part);
    }
    return std::move(errors_);
  }

 private:
  // Who makes a stream or side packet, by name.
  using Makers = HashMap<std::string, int>;

  void Fail(const Node& part, absl::string_view message) {
    errors_.push_back(absl::InvalidArgumentError(
        absl::StrCat("in it, ", NodeLabel(part), ": ", message)));
  }

  void CheckPart(const Node& part,
                 absl::FunctionRef<bool(const std::string& type)> is_subgraph) {
    if (!part.fused_node().empty() || part.calculator() == kFusedNodeType) {
      return Fail(part,
                  "a fused_node cannot have fused nodes itself. List them one "
                  "after the other in the outer node.");
    }
    if (part.calculator().empty()) {
      return Fail(part, "it has no calculator.");
    }
    if (is_subgraph(part.calculator())) {
      return Fail(part,
                  "it names a subgraph, and only calculators can be fused. "
                  "List the nodes of the subgraph.");
    }
    const std::vector<absl::string_view> fields = FieldsThatAreSet(
        part, {"source_layer", "buffer_size_hint", "input_stream_handler",
               "output_stream_handler", "executor", "max_in_flight",
               "condition", "any_of", "gxf_defaults", "batch"});
    if (fields.empty()) return;
    Fail(part, absl::StrCat("it has ", absl::StrJoin(fields, ", "),
                            ", which only the node around it may have: all "
                            "that are fused run in one call."));
  }

  // The names behind `ports`; none, after an error, if they are malformed.
  std::vector<std::string> NamesOf(const Node& part, absl::string_view field,
                                   const Ports& ports) {
    const auto layout = PortLayout::Create(ports);
    if (layout.ok()) return (*layout)->Names();
    Fail(part, absl::StrCat(field, ": ", layout.status().message()));
    return {};
  }

  void NoteProducers() {
    for (int i = 0; i < node_.fused_node_size(); ++i) {
      const Node& part = node_.fused_node(i);
      AddOutputs(i, NamesOf(part, "output_stream", part.output_stream()),
                 "stream", &streams_made_, node_.mutable_output_stream());
      AddOutputs(i,
                 NamesOf(part, "output_side_packet", part.output_side_packet()),
                 "side packet", &side_packets_made_,
                 node_.mutable_output_side_packet());
    }
  }

  void AddOutputs(int index, const std::vector<std::string>& names,
                  absl::string_view what, Makers* makers, Ports* ports) {
    for (const std::string& name : names) {
      const auto [maker, is_new] = makers->try_emplace(name, index);
      if (is_new) {
        // Not Add(name): it counts the name before there is one, so that a
        // failed allocation leaves a pointer to nothing behind.
        *ports->Add() = absl::StrCat(FusedTag(name), ":", name);
        continue;
      }
      Fail(node_.fused_node(index),
           absl::StrCat("it makes the ", what, " ", Quoted(name),
                        ", which has a producer already: ",
                        NodeLabel(node_.fused_node(maker->second)), "."));
    }
  }

  void AddInputs(int index, const Ports& names_of, absl::string_view what,
                 const Makers& makers, Ports* ports) {
    const Node& part = node_.fused_node(index);
    for (const std::string& name :
         NamesOf(part, absl::StrCat("input ", what), names_of)) {
      const auto maker = makers.find(name);
      if (maker == makers.end()) {
        if (inputs_.emplace(what, name).second) {
          *ports->Add() = absl::StrCat(FusedTag(name), ":", name);
        }
      } else if (maker->second >= index) {
        Fail(part,
             absl::StrCat(
                 "it reads the ", what, " ", Quoted(name), " of ",
                 NodeLabel(node_.fused_node(maker->second)),
                 ", which does not run before it. Change their order; what "
                 "goes back needs nodes of their own."));
      }
    }
  }

  // What is said about an input is said about the input of the whole.
  void MoveInfos(Node* part) {
    if (part->input_stream_info().empty()) return;
    const auto layout = PortLayout::Create(part->input_stream());
    if (!layout.ok()) return;  // noted already
    for (const InputStreamInfo& info : part->input_stream_info()) {
      std::string tag;
      int index = 0;
      const absl::Status status =
          tool::ParseTagIndex(info.tag_index(), &tag, &index);
      const std::string name(status.ok() ? (*layout)->Name(tag, index)
                                         : absl::string_view());
      if (name.empty()) {
        Fail(*part, absl::StrCat("input_stream_info has the tag_index ",
                                 Quoted(info.tag_index()),
                                 ", which is no input stream of it."));
      } else {
        MoveInfo(*part, name, info);
      }
    }
    part->clear_input_stream_info();
  }

  void MoveInfo(const Node& part, const std::string& name,
                const InputStreamInfo& info) {
    if (streams_made_.contains(name)) {
      return Fail(part,
                  absl::StrCat("it has input_stream_info for ", Quoted(name),
                               ", which stays within the fused node and "
                               "has no queue."));
    }
    if (info.has_idle_after() || info.merge() || info.message_times()) {
      return Fail(part, absl::StrCat(
                            "its input_stream_info for ", Quoted(name),
                            " has idle_after, merge or message_times. The node "
                            "around it can say that, of tag_index ",
                            Quoted(FusedTag(name)), "."));
    }
    InputStreamInfo whole = info;
    whole.set_tag_index(FusedTag(name));
    for (const InputStreamInfo& other : node_.input_stream_info()) {
      if (other.tag_index() != whole.tag_index()) continue;
      if (other.SerializeAsString() == whole.SerializeAsString()) return;
      return Fail(part,
                  absl::StrCat("its input_stream_info for ", Quoted(name),
                               " differs from what is said of it already. "
                               "The fused node has one queue for it."));
    }
    *node_.add_input_stream_info() = std::move(whole);
  }

  Node& node_;
  Makers streams_made_;
  Makers side_packets_made_;
  HashSet<std::pair<std::string, std::string>> inputs_;
  std::vector<absl::Status> errors_;
};

}  // namespace

std::string FusedTag(absl::string_view name) {
  return absl::AsciiStrToUpper(name);
}

std::vector<absl::Status> LowerFused(
    absl::string_view package,
    absl::FunctionRef<bool(const std::string& type)> is_subgraph, Node* node) {
  // A config that was compiled has its ports.
  if (node->calculator() == kFusedNodeType) return {};
  std::vector<absl::Status> errors;
  if (!node->calculator().empty()) {
    errors.push_back(absl::InvalidArgumentError(
        "it has a calculator and fused_node: it can be one of them."));
  }
  const std::vector<absl::string_view> fields = FieldsThatAreSet(
      *node, {"input_stream", "output_stream", "input_side_packet",
              "output_side_packet", "options", "node_options", "option_value"});
  if (!fields.empty()) {
    errors.push_back(absl::InvalidArgumentError(
        absl::StrCat("it has ", absl::StrJoin(fields, ", "),
                     ", but its nodes are fused: write that into them. What "
                     "they read and make are its streams and side packets.")));
  }
  node->set_calculator(kFusedNodeType);
  if (!errors.empty()) return errors;
  return Lowering(node).Run(package, is_subgraph);
}

}  // namespace syncline
