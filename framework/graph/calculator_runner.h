// CalculatorRunner: one calculator in a graph of its own, for its tests.
//
//   CalculatorRunner runner(R"pb(
//     calculator: "GateCalculator"
//     input_stream: "ALLOW:allow" input_stream: "in" output_stream: "out"
//   )pb");
//   runner.MutableInputs()->Tag("ALLOW").packets.push_back(
//       MakePacket<bool>(true).At(Timestamp(1)));
//   runner.MutableInputs()->Index(0).packets = ...;
//   SYNCLINE_ASSERT_OK(runner.Run());
//   EXPECT_EQ(runner.Outputs().Index(0).packets.size(), 1);
//
// A source stands before each input and a sink behind each output, so the
// calculator sees what it would see in a graph: its input stream handler, its
// headers, bounds. Packets come in the order of their timestamps, and each is
// dealt with before the next, so that a test gives the same result each time;
// only calls of a node with max_in_flight run on several threads.
//
// testing/calculator_harness.h does the same without a graph, sees bounds as
// well, and knows fewer input stream handlers.
//
// Thread rule: for one thread.
// Tested by calculator_runner_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_RUNNER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_RUNNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"

namespace syncline {

class CalculatorRunner {
 public:
  // What goes into a stream, or came out of it.
  struct StreamContents {
    Packet header;
    // An empty packet in an input is a bound: nothing up to its timestamp.
    std::vector<Packet> packets;
  };
  using StreamContentsSet = Collection<StreamContents>;

  // A node as in a graph. An error of the node or its text comes from Run();
  // the collections are without ports then.
  explicit CalculatorRunner(const CalculatorGraphConfig::Node& node_config);
  explicit CalculatorRunner(const std::string& node_config_string);
  // Ports without tags. `options_string` is the text of CalculatorOptions.
  CalculatorRunner(const std::string& calculator_type,
                   const std::string& options_string, int num_inputs,
                   int num_outputs, int num_side_packets);
  // Without ports until the functions below give some. Deprecated.
  CalculatorRunner(const std::string& calculator_type,
                   const CalculatorOptions& options);
  ~CalculatorRunner();
  CalculatorRunner(const CalculatorRunner&) = delete;
  CalculatorRunner& operator=(const CalculatorRunner&) = delete;

  // --- Before the first Run

  // Replaces the ports by so many without tag. Deprecated.
  void SetNumInputs(int n);
  void SetNumOutputs(int n);
  void SetNumInputSidePackets(int n);

  template <typename T>
  absl::Status SetServiceObject(const GraphService<T>& service,
                                std::shared_ptr<T> object) {
    return graph_.SetServiceObject(service, std::move(object));
  }

  // --- Before each Run

  StreamContentsSet* MutableInputs() { return inputs_.get(); }
  // A side packet that is left empty is not given.
  PacketSet* MutableSidePackets() { return side_packets_.get(); }

  // Runs the calculator on the inputs. The graph is made once, by the first
  // Run; each run has a new calculator. Inputs stay.
  absl::Status Run();

  // --- After Run, also after one that failed

  const StreamContentsSet& Outputs() const { return *outputs_; }
  // Empty where the calculator set none.
  const PacketSet& OutputSidePackets() const { return *output_side_packets_; }
  // A counter by its full name, "<node name>-<counter name>". Counters go on
  // from run to run.
  Counter* GetCounter(const std::string& name);
  std::map<std::string, std::int64_t> GetCountersValues();

 private:
  void SetNode(CalculatorGraphConfig::Node node);
  void SetPorts(int count, const char* name,
                google::protobuf::RepeatedPtrField<std::string>* ports);
  absl::Status Build();

  CalculatorGraphConfig::Node node_;
  absl::Status config_status_;
  bool is_built_ = false;
  CalculatorGraph graph_;

  // Replaced as a whole when ports change; never null.
  std::unique_ptr<StreamContentsSet> inputs_;
  std::unique_ptr<StreamContentsSet> outputs_;
  std::unique_ptr<PacketSet> side_packets_;
  std::unique_ptr<PacketSet> output_side_packets_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_RUNNER_H_
