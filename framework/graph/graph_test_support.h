// For tests of whole graphs: a graph of calculators made of functions
// (test_lambda.h) that writes down what its streams carry.
//
//   TestGraph graph(GetParam(), R"(
//     input_stream: "a"
//     node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
//            input_stream: "a" output_stream: "b" })");
//   graph.Give("f", [](CalculatorContext* cc) { ... });
//   graph.Observe("b");
//   graph.Start();
//   graph.Add("a", 10, 1);
//   EXPECT_EQ(graph.Seen("b"), "10:1");
//
// Thread rule: TestGraph belongs to the test's thread; functions run on any.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TEST_SUPPORT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/report/test_lambda.h"

namespace syncline {

class TestGraph {
 public:
  TestGraph(const Workers& workers, const std::string& text);
  ~TestGraph();

  // Side packets.
  void Give(const std::string& name, TestFunction function);
  void Give(const std::string& name, Packet packet);
  void Observe(const std::string& stream, bool with_bounds = false);

  absl::Status StartWithHeaders(
      const std::map<std::string, Packet>& stream_headers);
  absl::Status AddWithStatus(const std::string& stream, std::int64_t timestamp,
                             int value);

  // Each expects success.
  void Start();
  void Add(const std::string& stream, std::int64_t timestamp, int value);
  void SetBound(const std::string& stream, std::int64_t bound);
  void Close(const std::string& stream);
  void Idle();
  // Closes all inputs, and waits.
  void Finish();
  // For graphs without inputs.
  absl::Status Run();
  // Closes all inputs and returns the status of the run.
  absl::Status FinishWithStatus();

  // "timestamp:value" of each packet so far, separated by blanks; "timestamp-"
  // for an observed bound.
  std::string Seen(const std::string& stream);
  // How many packets that is.
  int Count(const std::string& stream);

  CalculatorGraph& graph() { return *graph_; }
  void Destroy() { graph_.reset(); }

 private:
  std::unique_ptr<WorkersGraph> graph_;
  std::map<std::string, Packet> side_packets_;
  Mutex mutex_;
  std::map<std::string, std::string> seen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TEST_SUPPORT_H_
