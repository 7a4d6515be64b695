// CalculatorContext: all that one call of a calculator sees.
//
// A context is made once for a node (once for each call that may run at a time,
// where a node has parallel calls) and filled anew for every call, so a call
// allocates nothing. It is plain data: what comes in, room for what goes out.
//
//   call        InputTimestamp()                  inputs
//   Open        Timestamp::Unstarted()            headers only
//   Process     the input set's timestamp;        packets at that time
//               Timestamp(0) for a source
//   Close       Timestamp::Done()                 none
//
// Thread rule: belongs to one call, used by its thread. What it borrows
// (NodeSetup, services, resources, counters) is shared and safe.
// Tested by context_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/call_errors.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_options.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"
#include "framework/calculator/side_packets.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// The profiler's view of a node; there is none until tracing exists.
class ProfilingContext;

// What stays the same for all calls of a node in a run. Pointers are borrowed
// and never null, except `services`.
struct NodeSetup {
  std::string name;  // canonical
  std::string type;
  int id = 0;
  const CalculatorGraphConfig::Node* config =
      &CalculatorGraphConfig::Node::default_instance();
  const NodeOptions* options = nullptr;
  const PacketSet* input_side_packets = nullptr;
  OutputSidePacketSet* output_side_packets = nullptr;
  CounterFactory* counters = nullptr;
  const GraphServiceManager* services = nullptr;
};

class CalculatorContext {
 public:
  // Borrows `setup`. Names and output ports are set by the engine through
  // Inputs() and Outputs().
  CalculatorContext(const NodeSetup* setup,
                    std::shared_ptr<const PortLayout> inputs,
                    std::shared_ptr<const PortLayout> outputs);
  CalculatorContext(const CalculatorContext&) = delete;
  CalculatorContext& operator=(const CalculatorContext&) = delete;

  // --- For calculators.

  // Canonical name, unique in the graph.
  const std::string& NodeName() const { return setup_->name; }
  // The node's place in the graph's order.
  int NodeId() const { return setup_->id; }
  // As the config has it: 0 if it says nothing.
  int NodeMaxInFlight() const { return setup_->config->max_in_flight(); }
  const std::string& CalculatorType() const { return setup_->type; }

  // The node's options of type T, or the defaults; see node_options.h.
  template <typename T>
  const T& Options() const {
    return setup_->options->Get<T>();
  }
  template <typename T>
  bool HasOptions() const {
    return setup_->options->Has<T>();
  }
  // The container that older calculators look into themselves.
  const CalculatorOptions& Options() const { return setup_->config->options(); }

  // The counter "<node name>-<name>". Found by name once for this context.
  Counter* GetCounter(absl::string_view name);
  // The graph's counters, without a prefix.
  CounterFactory* GetCounterFactory() { return setup_->counters; }

  Timestamp InputTimestamp() const { return input_timestamp_; }

  const PacketSet& InputSidePackets() const {
    return *setup_->input_side_packets;
  }
  OutputSidePacketSet& OutputSidePackets() {
    return *setup_->output_side_packets;
  }
  InputStreamSet& Inputs() { return inputs_; }
  const InputStreamSet& Inputs() const { return inputs_; }
  OutputStreamSet& Outputs() { return outputs_; }
  const OutputStreamSet& Outputs() const { return outputs_; }

  // SetOffset on every output; in Open only.
  void SetOffset(TimestampDiff offset);

  // The status of the run, as far as it is known; of use in Close, where an
  // error tells that the run is being given up.
  const absl::Status& GraphStatus() const { return graph_status_; }

  // Null: nothing is traced.
  ProfilingContext* GetProfilingContext() const { return nullptr; }

  // A service that the contract asked for.
  template <typename T>
  ServiceBinding<T> Service(const GraphService<T>& service) const {
    if (setup_->services == nullptr) return ServiceBinding<T>();
    return ServiceBinding<T>(setup_->services->GetServiceObject(service));
  }
  // Files and the like: the application's Resources, or the file system.
  const Resources& GetResources() const;

  // --- For the engine.

  // Before each call. The streams are filled separately.
  void BeginCall(Timestamp input_timestamp) {
    input_timestamp_ = input_timestamp;
  }
  void SetGraphStatus(absl::Status status) {
    graph_status_ = std::move(status);
  }
  // What the call did wrong without being able to return it.
  CallErrors& errors() { return errors_; }
  const NodeSetup& setup() const { return *setup_; }

 private:
  const NodeSetup* const setup_;
  InputStreamSet inputs_;
  OutputStreamSet outputs_;
  Timestamp input_timestamp_;
  absl::Status graph_status_;
  CallErrors errors_;
  // Few, so looked through in order.
  std::vector<std::pair<std::string, Counter*>> counters_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
