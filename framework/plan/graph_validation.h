// GraphValidation: checks whether a graph could run, without running it.
//
// It has the form of MediaPipe's class. New code calls Compile (compile.h),
// whose plan tells more.
//
// Thread rule: for one thread.
// Tested by graph_validation_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_GRAPH_VALIDATION_H_
#define SYNCLINE_FRAMEWORK_PLAN_GRAPH_VALIDATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/packet/packet.h"

namespace syncline {

class GraphValidation {
 public:
  // OK, or all errors of the graph. Side packets that are given here must be of
  // the types that their readers expect.
  absl::Status Validate(const CalculatorGraphConfig& config,
                        const std::map<std::string, Packet>& side_packets = {});

  // The same for a graph in several configs: each with a `type` is a subgraph
  // for the others. `graph_type` says which of them, or which registered
  // subgraph, is the graph; empty: the one without a type. `options` are those
  // of the graph: of a template, its arguments.
  absl::Status Validate(const std::vector<CalculatorGraphConfig>& configs,
                        const std::vector<CalculatorGraphTemplate>& templates,
                        const std::map<std::string, Packet>& side_packets = {},
                        const std::string& graph_type = "",
                        const Subgraph::SubgraphOptions* options = nullptr);

  // The canonical config of the last graph that was valid: expanded, in node
  // order.
  const CalculatorGraphConfig& Config() const { return config_; }

 private:
  CalculatorGraphConfig config_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_GRAPH_VALIDATION_H_
