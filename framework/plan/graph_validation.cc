#include "framework/plan/graph_validation.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

absl::Status GraphValidation::Validate(
    const CalculatorGraphConfig& config,
    const std::map<std::string, Packet>& side_packets) {
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan,
                            Compile(config, {.side_packets = &side_packets}));
  config_ = plan.Config();
  return absl::OkStatus();
}

absl::Status GraphValidation::Validate(
    const std::vector<CalculatorGraphConfig>& configs,
    const std::vector<CalculatorGraphTemplate>& templates,
    const std::map<std::string, Packet>& side_packets,
    const std::string& graph_type, const Subgraph::SubgraphOptions* options) {
  CompileOptions compile_options{.graph_type = graph_type,
                                 .graph_options = options,
                                 .side_packets = &side_packets};
  std::vector<GraphSource> sources;
  for (const CalculatorGraphConfig& config : configs) {
    sources.push_back({config, nullptr});
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const GraphPlan plan,
      Compile(std::move(sources), templates, compile_options));
  config_ = plan.Config();
  return absl::OkStatus();
}

}  // namespace syncline
