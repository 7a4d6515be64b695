// CalculatorContract: the inputs and outputs of a calculator and what it
// promises about them.
//
// A calculator's GetContract is called once for each of its nodes when a graph
// is compiled, with the ports that the node connects. It says what each port
// carries and how the node wants to be run:
//
//   cc->Inputs().Tag("IMAGE").Set<Image>();
//   cc->Outputs().Tag("IMAGE").SetSameAs(&cc->Inputs().Tag("IMAGE"));
//   cc->SetTimestampOffset(0);
//
// The plan validates the answer and keeps it; the engine reads it.
//
// Thread rule: written by one thread, read-only afterwards.
// Tested by contract_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/node_options.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/service.h"
#include "framework/packet/timestamp.h"

namespace google::protobuf {
template <typename Element>
class RepeatedPtrField;
}  // namespace google::protobuf

namespace syncline {

// The messages of the config are only declared here. A file that looks into one
// includes calculator.pb.h.
class CalculatorGraphConfig_Node;
class CalculatorOptions;
class ConditionConfig;
class ConditionGroup;
class NodeConfig;
class PacketGeneratorConfig;
class StatusHandlerConfig;
class SynclineOptions;

class CalculatorContract {
 public:
  CalculatorContract();
  ~CalculatorContract();
  CalculatorContract(const CalculatorContract&) = delete;
  CalculatorContract& operator=(const CalculatorContract&) = delete;

  // Prepares for `node`, which is borrowed and must not change or move. Errors
  // name the field whose port names are malformed; those of all four fields
  // come together. The other fields are usable even then.
  absl::Status Initialize(const CalculatorGraphConfig_Node& node,
                          std::string node_name = "");
  // Replaces the name, before the calculator has seen the contract.
  void SetNodeName(std::string name) { node_name_ = std::move(name); }
  // The same for older things that have side packets only.
  absl::Status Initialize(const PacketGeneratorConfig& generator);
  absl::Status Initialize(const StatusHandlerConfig& handler);

  // --- For calculators.

  PacketTypeSet& Inputs() { return inputs_; }
  const PacketTypeSet& Inputs() const { return inputs_; }
  PacketTypeSet& Outputs() { return outputs_; }
  const PacketTypeSet& Outputs() const { return outputs_; }
  PacketTypeSet& InputSidePackets() { return input_side_packets_; }
  const PacketTypeSet& InputSidePackets() const { return input_side_packets_; }
  PacketTypeSet& OutputSidePackets() { return output_side_packets_; }
  const PacketTypeSet& OutputSidePackets() const {
    return output_side_packets_;
  }

  // The node's options of type T, or the defaults; see node_options.h.
  template <typename T>
  const T& Options() const {
    return options_.Get<T>();
  }
  template <typename T>
  bool HasOptions() const {
    return options_.Has<T>();
  }
  // The container that older calculators look into themselves.
  const CalculatorOptions& Options() const;

  // Canonical, e.g. "DetectorCalculator_2".
  const std::string& GetNodeName() const { return node_name_; }
  // How many calls may run at once; at least 1.
  int GetMaxInFlight() const;

  // The rule of readiness, unless the graph names one for the node.
  void SetInputStreamHandler(absl::string_view name);
  void SetInputStreamHandlerOptions(const SynclineOptions& options);

  // Call Process also when no packet came but a bound moved.
  void SetProcessTimestampBounds(bool process) {
    process_timestamp_bounds_ = process;
  }

  // Promises that the packets sent do not depend on which settled timestamps
  // get a call of their own (see SetProcessTimestampBounds), nor on the order
  // between sync sets. A graph with `deterministic: true` asks for that.
  void SetOrderIndependent(bool independent) {
    order_independent_ = independent;
  }

  // The object stays for all runs of its graph, each with its Open and Close;
  // see calculator_base.h. The graph can ask for it too: `persistent: true`.
  void SetPersistent(bool persistent) { is_persistent_ = persistent; }

  // Outputs for inputs at t are at t + offset, so bounds pass through. Unset()
  // takes it back.
  void SetTimestampOffset(TimestampDiff offset) { timestamp_offset_ = offset; }

  // The input stream keeps the times of its packets, which
  // cc->Inputs().Tag(tag).MessageTimes() tells; see packet_times.h.
  void KeepMessageTimes(absl::string_view tag, int index = 0);

  // What the node waits for before each call of Process, besides its inputs;
  // see condition/condition.h. A condition of the same name in the graph
  // replaces it. Without a name its type is the name.
  void AddCondition(absl::string_view type, absl::string_view name = "");
  void AddCondition(absl::string_view type, absl::string_view name,
                    const SynclineOptions& options);
  // A group of conditions of which one has to be ready, like `any_of` in a
  // graph. The contract owns the group, and the caller adds the members. A
  // condition in the graph replaces a member of the same name.
  ConditionGroup* AddAnyOf();

  // The node's condition `name` starts `child`, "NODE/CONDITION", as parents of
  // behaviour trees do. A graph in which one comes to start itself would never
  // end, and is refused.
  void SetConditionChild(absl::string_view name, absl::string_view child);

  // Asks for a service; the result can be marked Optional(). Asking again for
  // the same one starts over.
  GraphServiceRequest& UseService(const GraphServiceBase& service);

  // --- For the plan and the engine.

  const CalculatorGraphConfig_Node& node() const { return options_.node(); }
  // What the config of the node says of its level of the log; "" for nothing.
  absl::string_view GetLogLevel() const;
  // The plan keeps the config of the node elsewhere; see NodeOptions.
  void SetConfig(const NodeConfig& config) { options_.SetConfig(config); }
  const NodeOptions& node_options() const { return options_; }
  // Sorted by the keys of the services.
  const std::vector<std::unique_ptr<GraphServiceRequest>>& ServiceRequests()
      const;
  // Null if the contract does not ask for the service of that key.
  const GraphServiceRequest* FindServiceRequest(absl::string_view key) const;
  // "" if the contract does not say.
  const std::string& GetInputStreamHandler() const;
  const SynclineOptions& GetInputStreamHandlerOptions() const;
  const std::vector<ConditionConfig>& GetConditions() const;
  const google::protobuf::RepeatedPtrField<ConditionGroup>& GetAnyOf() const;
  // Names of conditions of this node, each with one that it starts.
  const std::vector<std::pair<std::string, std::string>>& GetConditionChildren()
      const;
  bool HasConditions() const;
  // Tags and indexes.
  const std::vector<std::pair<std::string, int>>& GetMessageTimes() const;
  bool GetProcessTimestampBounds() const { return process_timestamp_bounds_; }
  bool IsOrderIndependent() const { return order_independent_; }
  bool IsPersistent() const;
  // Unset() if there is none.
  TimestampDiff GetTimestampOffset() const { return timestamp_offset_; }

 private:
  // What few contracts ask for.
  struct Extras;

  Extras& MakeExtras();
  // Those of this contract, or empty ones.
  const Extras& GetExtras() const;

  NodeOptions options_;             // it knows the node
  std::unique_ptr<Extras> extras_;  // null: none
  std::string node_name_;
  PacketTypeSet inputs_;
  PacketTypeSet outputs_;
  PacketTypeSet input_side_packets_;
  PacketTypeSet output_side_packets_;
  bool process_timestamp_bounds_ = false;
  bool order_independent_ = false;
  bool is_persistent_ = false;
  TimestampDiff timestamp_offset_ = TimestampDiff::Unset();
};

// How errors name a node: `"Name" (Type)`, or `"Type"` where both are one.
std::string NodeText(const CalculatorContract& contract);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_
