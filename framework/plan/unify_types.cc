// Which type flows on each stream and side packet, and whether both ends agree.
//
// "Any" means one single type that is not known yet, so a port of that kind
// takes the type of what it is connected to, and hands it on to every port that
// is declared "same as" it. Ports are merged into classes (union-find), so a
// chain of 10,000 pass-through nodes costs 10,000 steps. A "one of" port is
// then narrowed by an exact type at the other end of an edge. At last each edge
// is checked; the error names the stream, both nodes and both types.
//
// Order matters only where the graph is wrong: edges are visited by consumer
// id.
//
// Runs after DescribeNodes; fills the `type` fields of the drafts.
//
// Tested by unify_types_test.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet_type.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/type_classes.h"

namespace syncline {
namespace {

// One reader of a stream or side packet, and the class members of both ends.
struct TypeEdge {
  int node = 0;  // the reader
  int id = 0;    // of the stream or side packet
  int reader = 0;
  int producer = 0;
};

// First class members of a node's ports.
struct NodeMembers {
  int inputs = 0;
  int outputs = 0;
  int input_side_packets = 0;
  int output_side_packets = 0;
};

class Unifier {
 public:
  explicit Unifier(CompileState* state) : state_(*state) {}

  void Run() {
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      members_.push_back(AddPorts(state_.drafts[i]));
    }
    AddProducers();
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      CollectEdges(i);
    }
    for (auto* edges : {&stream_edges_, &side_packet_edges_}) {
      for (const TypeEdge& edge : *edges) ResolveAny(edge);
      for (const TypeEdge& edge : *edges) Narrow(edge);
    }
    Check();
    CheckStatusHandlers();
    Store();
  }

 private:
  NodeMembers AddPorts(const NodeDraft& draft);
  int AddSet(const PacketTypeSet& types, bool known);
  void MergeSameAs(const CalculatorContract& contract,
                   const NodeMembers& members);
  void AddProducers();
  void CollectEdges(int node);
  void ResolveAny(const TypeEdge& edge);
  void Narrow(const TypeEdge& edge);
  void Check();
  void CheckStatusHandlers();
  void Store();

  bool Agree(const TypeEdge& edge) {
    const PacketType* produced = classes_.Type(edge.producer);
    const PacketType* read = classes_.Type(edge.reader);
    return produced == read || produced == nullptr || read == nullptr ||
           read->IsConsistentWith(*produced);
  }
  const PacketType* TypeOrAny(int member) {
    const PacketType* type = classes_.Type(member);
    return type != nullptr ? type : &state_.tables->owned.any_type;
  }
  absl::Status Mismatch(const TypeEdge& edge, absl::string_view what,
                        absl::string_view name, PortRef producer);

  CompileState& state_;
  TypeClasses classes_;
  std::vector<NodeMembers> members_;
  std::vector<int> stream_members_;       // of the producer, by stream
  std::vector<int> side_packet_members_;  // of the producer, by side packet
  std::vector<TypeEdge> stream_edges_;
  std::vector<TypeEdge> side_packet_edges_;
  // For the node at hand. They are members, so that their memory is used again.
  std::vector<std::pair<const PacketType*, int>> same_as_;
  HashMap<const PacketType*, int> member_of_;
};

// Ports of a node that was not described accept anything: its errors are
// reported already.
int Unifier::AddSet(const PacketTypeSet& types, bool known) {
  const int first = classes_.size();
  for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
    const PacketType& type = types.Get(id);
    const PacketType* root = known ? type.GetSameAs() : nullptr;
    classes_.Add(root == nullptr || root->IsAny() ? nullptr : root);
    if (root != nullptr && root != &type) {
      same_as_.emplace_back(root, classes_.size() - 1);
    }
  }
  return first;
}

NodeMembers Unifier::AddPorts(const NodeDraft& draft) {
  const CalculatorContract& contract = *draft.contract;
  same_as_.clear();
  NodeMembers members;
  members.inputs = AddSet(contract.Inputs(), draft.described);
  members.outputs = AddSet(contract.Outputs(), draft.described);
  members.input_side_packets =
      AddSet(contract.InputSidePackets(), draft.described);
  members.output_side_packets =
      AddSet(contract.OutputSidePackets(), draft.described);
  if (!same_as_.empty()) MergeSameAs(contract, members);
  return members;
}

// Joins the ports that are the same as an Any port: those of an exact type have
// it already.
void Unifier::MergeSameAs(const CalculatorContract& contract,
                          const NodeMembers& members) {
  member_of_.clear();
  const auto add = [this](const PacketTypeSet& types, int member) {
    for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
      member_of_[&types.Get(id)] = member++;
    }
  };
  add(contract.Inputs(), members.inputs);
  add(contract.Outputs(), members.outputs);
  add(contract.InputSidePackets(), members.input_side_packets);
  add(contract.OutputSidePackets(), members.output_side_packets);
  for (const auto& [root, member] : same_as_) {
    const auto found = member_of_.find(root);
    // A root that is no port of the node says what it says, and no more.
    if (found != member_of_.end()) classes_.Merge(found->second, member);
  }
}

void Unifier::AddProducers() {
  for (const StreamDraft& stream : state_.streams) {
    const PortRef from = stream.producer;
    stream_members_.push_back(from.node < 0
                                  ? classes_.Add(nullptr)
                                  : members_[from.node].outputs + from.port);
  }
  for (const SidePacketDraft& side_packet : state_.side_packets) {
    const PortRef from = side_packet.producer;
    side_packet_members_.push_back(
        from.node < 0 ? classes_.Add(nullptr)
                      : members_[from.node].output_side_packets + from.port);
  }
}

void Unifier::CollectEdges(int node) {
  const NodeDraft& draft = state_.drafts[node];
  for (size_t port = 0; port < draft.inputs.size(); ++port) {
    const int stream = draft.inputs[port].stream;
    if (stream < 0) continue;
    stream_edges_.push_back({node, stream,
                             members_[node].inputs + static_cast<int>(port),
                             stream_members_[stream]});
  }
  for (size_t port = 0; port < draft.input_side_packets.size(); ++port) {
    const int side_packet = draft.input_side_packets[port];
    if (side_packet < 0) continue;
    side_packet_edges_.push_back(
        {node, side_packet,
         members_[node].input_side_packets + static_cast<int>(port),
         side_packet_members_[side_packet]});
  }
}

void Unifier::ResolveAny(const TypeEdge& edge) {
  if (classes_.Type(edge.reader) == nullptr ||
      classes_.Type(edge.producer) == nullptr) {
    classes_.Merge(edge.reader, edge.producer);
  }
}

void Unifier::Narrow(const TypeEdge& edge) {
  const PacketType* read = classes_.Type(edge.reader);
  const PacketType* produced = classes_.Type(edge.producer);
  if (read == nullptr || produced == nullptr) return;
  if (read->IsOneOf() == produced->IsOneOf() || !Agree(edge)) return;
  if (read->IsOneOf() && produced->IsExactType()) {
    classes_.SetType(edge.reader, produced);
  } else if (produced->IsOneOf() && read->IsExactType()) {
    classes_.SetType(edge.producer, read);
  }
}

absl::Status Unifier::Mismatch(const TypeEdge& edge, absl::string_view what,
                               absl::string_view name, PortRef producer) {
  const std::string expected = TypeOrAny(edge.reader)->DebugTypeName();
  const std::string connected = TypeOrAny(edge.producer)->DebugTypeName();
  const std::string others =
      producer.node < 0 ? std::string("other nodes that read it expect")
                        : absl::StrCat("the connected output ", what, " of ",
                                       state_.Label(producer.node),
                                       " will contain packets of");
  return absl::UnknownError(absl::StrCat(
      "input ", what, " ", Quoted(name), " expects packets of type \"",
      expected, "\" but ", others, " type \"", connected, "\"."));
}

void Unifier::Check() {
  for (const TypeEdge& edge : stream_edges_) {
    if (Agree(edge)) continue;
    const StreamDraft& stream = state_.streams[edge.id];
    if (state_.errors.full()) return state_.errors.CountOnly();
    state_.PortError(edge.node, "input_stream",
                     state_.node(edge.node).input_stream(), stream.name,
                     Mismatch(edge, "stream", stream.name, stream.producer));
  }
  for (const TypeEdge& edge : side_packet_edges_) {
    if (Agree(edge)) continue;
    const SidePacketDraft& side_packet = state_.side_packets[edge.id];
    state_.NodeError(edge.node, Mismatch(edge, "side packet", side_packet.name,
                                         side_packet.producer));
  }
}

// Handlers read side packets without having a say in their types.
void Unifier::CheckStatusHandlers() {
  const PlanTables& tables = *state_.tables;
  size_t next = 0;
  int at = -1;  // place in the config; tables lack those that have errors
  for (const PlanStatusHandler& handler : tables.status_handlers) {
    do {
      ++at;
    } while (&state_.config().status_handler(at) != handler.config);
    for (const PacketType& expected : *handler.input_side_packet_types) {
      const int id = tables.ports.handler_side_packets[next++];
      const PacketType* type = classes_.Type(side_packet_members_[id]);
      if (type == nullptr || expected.IsConsistentWith(*type)) continue;
      state_.ErrorAt(
          state_.status_handler_origins[at],
          absl::StrCat("status handler ", Quoted(handler.type)),
          absl::UnknownError(absl::StrCat(
              "input side packet ", Quoted(state_.side_packets[id].name),
              " expects type \"", expected.DebugTypeName(),
              "\" but is of type \"", type->DebugTypeName(), "\".")));
    }
  }
}

void Unifier::Store() {
  for (size_t i = 0; i < state_.drafts.size(); ++i) {
    int member = members_[i].inputs;
    for (InputDraft& input : state_.drafts[i].inputs) {
      input.type = TypeOrAny(member++);
    }
  }
  for (size_t i = 0; i < state_.streams.size(); ++i) {
    state_.streams[i].type = TypeOrAny(stream_members_[i]);
  }
  for (size_t i = 0; i < state_.side_packets.size(); ++i) {
    state_.side_packets[i].type = TypeOrAny(side_packet_members_[i]);
  }
}

}  // namespace

void UnifyTypes(CompileState* state) {
  state->tables->owned.any_type.SetAny();
  Unifier(state).Run();
}

}  // namespace syncline
