// The types of a fused node's ports, from those of its parts.
//
// Inside the node, types are unified as in a graph (unify_types). A port that
// takes any type gets the type of its stream. A port that takes one of several
// types is narrowed to the type that comes. The graph decides on types that
// stay open: ports of the fused node that must agree say that they are the
// same.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/expansion/lower_fused.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet_type.h"
#include "framework/plan/type_classes.h"

namespace syncline {
namespace {

// The ports of one kind, streams or side packets: which names are read and
// which are made.
class Joiner {
 public:
  Joiner(const FusedParts& parts, absl::string_view what)
      : parts_(parts), what_(what) {}

  using Ports = PacketTypeSet& (CalculatorContract::*)();

  absl::Status Run(Ports inputs, Ports outputs, CalculatorContract* outer) {
    for (const std::unique_ptr<FusedPart>& part : parts_.parts()) {
      CalculatorContract& contract = part->contract;
      AddPart(contract, (contract.*inputs)(), (contract.*outputs)());
    }
    for (const Edge& edge : edges_) ResolveAny(edge);
    for (const Edge& edge : edges_) Narrow(edge);
    for (const Edge& edge : edges_) SYNCLINE_RETURN_IF_ERROR(Check(edge));
    Store(read_, &(outer->*inputs)());
    Store(made_, &(outer->*outputs)());
    return absl::OkStatus();
  }

 private:
  struct Edge {
    const CalculatorContract* reader;
    std::string name;
    int read;
    int made;
  };
  // For an input or output of the fused node.
  struct Outer {
    int member = 0;
    bool is_optional = false;
  };
  using OuterPorts = std::map<std::string, Outer>;

  void AddPart(const CalculatorContract& contract, const PacketTypeSet& inputs,
               const PacketTypeSet& outputs) {
    // Ports that are declared to have the same type join one class.
    HashMap<const PacketType*, int> member_of;
    std::vector<std::pair<const PacketType*, int>> same_as;
    const auto add = [&](const PacketTypeSet& types) {
      const int first = classes_.size();
      for (const PacketType& type : types) {
        const PacketType* const root = type.GetSameAs();
        const int member = classes_.Add(root->IsAny() ? nullptr : root);
        member_of[&type] = member;
        if (root != &type) same_as.emplace_back(root, member);
      }
      return first;
    };
    const int first_input = add(inputs);
    const int first_output = add(outputs);
    for (const auto& [root, member] : same_as) {
      const auto found = member_of.find(root);
      if (found != member_of.end()) classes_.Merge(found->second, member);
    }
    for (int port = 0; port < inputs.NumEntries(); ++port) {
      const std::string& name = inputs.layout().Names()[port];
      const bool is_optional = inputs.Get(port).IsOptional();
      edges_.push_back(
          {&contract, name, first_input + port, MemberOf(name, is_optional)});
    }
    for (int port = 0; port < outputs.NumEntries(); ++port) {
      made_[outputs.layout().Names()[port]].member = first_output + port;
    }
  }

  // The class of this name.
  int MemberOf(const std::string& name, bool is_optional) {
    const auto made = made_.find(name);
    if (made != made_.end()) return made->second.member;
    const auto [read, is_new] = read_.try_emplace(name);
    if (is_new) read->second = {classes_.Add(nullptr), true};
    if (!is_optional) read->second.is_optional = false;
    return read->second.member;
  }

  void ResolveAny(const Edge& edge) {
    if (classes_.Type(edge.read) == nullptr ||
        classes_.Type(edge.made) == nullptr) {
      classes_.Merge(edge.read, edge.made);
    }
  }

  void Narrow(const Edge& edge) {
    const PacketType* const read = classes_.Type(edge.read);
    const PacketType* const made = classes_.Type(edge.made);
    if (read == nullptr || made == nullptr || !read->IsConsistentWith(*made)) {
      return;
    }
    if (read->IsOneOf() && made->IsExactType()) {
      classes_.SetType(edge.read, made);
    } else if (made->IsOneOf() && read->IsExactType()) {
      classes_.SetType(edge.made, read);
    }
  }

  absl::Status Check(const Edge& edge) {
    const PacketType* const read = classes_.Type(edge.read);
    const PacketType* const made = classes_.Type(edge.made);
    if (read == nullptr || made == nullptr || read->IsConsistentWith(*made)) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("in it, node ", NodeText(*edge.reader), " expects ",
                     read->DebugTypeName(), " in the ", what_, " \"", edge.name,
                     "\", which carries ", made->DebugTypeName(), "."));
  }

  void Store(const OuterPorts& ports, PacketTypeSet* types) {
    for (const auto& [name, port] : ports) {
      const CollectionItemId id = types->GetId(FusedTag(name), 0);
      if (!id.IsValid()) continue;
      PacketType& type = types->Get(id);
      const PacketType* const known = classes_.Type(port.member);
      const auto [first, is_first] =
          first_of_.try_emplace(classes_.Class(port.member), &type);
      if (!is_first) {
        type.SetSameAs(first->second);
      } else if (known == nullptr) {
        type.SetAny();
      } else if (known->IsOneOf()) {
        type.SetOneOf({known->Types().begin(), known->Types().end()});
      } else if (known->IsNone()) {
        type.SetNone();
      } else {
        type.SetTypeId(*known->ExactType());
      }
      if (port.is_optional) type.Optional();
    }
  }

  const FusedParts& parts_;
  const absl::string_view what_;
  TypeClasses classes_;
  std::vector<Edge> edges_;
  OuterPorts read_;
  OuterPorts made_;
  // The first port of the fused node of each class.
  HashMap<int, PacketType*> first_of_;
};

}  // namespace

absl::Status FusedParts::DescribeTypes(CalculatorContract* outer) const {
  SYNCLINE_RETURN_IF_ERROR(Joiner(*this, "stream")
                               .Run(&CalculatorContract::Inputs,
                                    &CalculatorContract::Outputs, outer));
  return Joiner(*this, "side packet")
      .Run(&CalculatorContract::InputSidePackets,
           &CalculatorContract::OutputSidePackets, outer);
}

}  // namespace syncline
