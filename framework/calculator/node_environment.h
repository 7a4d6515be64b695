// NodeEnvironment: what all calls of a node in one run have in common.
//
// A node has one context for each call that may run at once; all of them show
// the same name, options, side packets, counters and services. Those are kept
// here, once, and are ready when the first call starts.
//
// Thread rule: built by one thread; during the run read by the contexts of the
// node, on any threads. Counters and output side packets,
// which may change during the run, are safe from any thread.
// Tested by context_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_NODE_ENVIRONMENT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_NODE_ENVIRONMENT_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/log_levels.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/run_objects.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet/packet.h"

namespace syncline {

class CounterFactory;
class GraphServiceManager;
class NodeOutputSidePacket;
class Resources;

class NodeEnvironment {
 public:
  // What a run gives to a node. Pointers are borrowed and may be null. Then
  // nobody sees the counters, there are no services, resources are files, and
  // the clock is that of the machine.
  struct Run {
    int node_id = 0;
    PacketSet input_side_packets;  // see FillInputSidePackets
    CounterFactory* counters = nullptr;
    const GraphServiceManager* services = nullptr;
    const RunObjects* objects = nullptr;
  };

  // `contract` is validated, its types are final, and it outlives this object.
  NodeEnvironment(const CalculatorContract& contract, Run run);
  ~NodeEnvironment();
  NodeEnvironment(const NodeEnvironment&) = delete;
  NodeEnvironment& operator=(const NodeEnvironment&) = delete;

  const CalculatorContract& contract() const { return contract_; }
  int node_id() const { return node_id_; }
  const PacketSet& input_side_packets() const { return side_packets_->inputs; }
  // The pointers do not change; what they point to may.
  OutputSidePacketSet& output_side_packets() const {
    return side_packets_->outputs;
  }
  CounterFactory& counters() const { return *counters_; }
  // Null if there are none.
  const GraphServiceManager* services() const { return services_; }
  const Resources& resources() const { return *resources_; }
  const NodeLogLevel& log_level() const { return log_level_; }
  const RunObjects& objects() const { return *objects_; }
  const OutputPort& output_port(int port) const { return output_ports_[port]; }

  // --- For the engine.

  // The ports in the order of the contract. Consumers that ignore time clear
  // OutputPort::checks_order, before the run.
  std::vector<OutputPort>& output_ports() { return output_ports_; }
  absl::Span<const std::unique_ptr<NodeOutputSidePacket>>
  node_output_side_packets() const {
    return side_packets_->node_outputs;
  }
  // After Open: the ports to which calls of Process send, where the calculator
  // notes the progress of others itself (StreamProgress); else null.
  const std::vector<int>* sent_ports() const { return sent_ports_.get(); }
  void SetSentPorts(std::vector<int> ports) {
    sent_ports_ = std::make_unique<std::vector<int>>(std::move(ports));
  }

 private:
  struct SidePackets {
    PacketSet inputs;
    std::vector<std::unique_ptr<NodeOutputSidePacket>> node_outputs;
    OutputSidePacketSet outputs;
  };
  // Those of the nodes that have none. Nothing in them can change.
  static SidePackets* NoSidePackets();

  const CalculatorContract& contract_;
  const int node_id_;
  // Null for nodes that have none.
  std::unique_ptr<SidePackets> own_side_packets_;
  SidePackets* const side_packets_;
  std::vector<OutputPort> output_ports_;
  std::unique_ptr<const std::vector<int>> sent_ports_;
  // Null where the run has one.
  std::unique_ptr<CounterFactory> own_counters_;
  CounterFactory* const counters_;
  const GraphServiceManager* const services_;
  std::shared_ptr<const Resources> resources_;
  const RunObjects* const objects_;
  const NodeLogLevel log_level_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_NODE_ENVIRONMENT_H_
