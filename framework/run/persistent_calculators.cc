#include "framework/run/persistent_calculators.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/packet_set.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

PersistentCalculators::~PersistentCalculators() {
  while (!kept_.empty()) kept_.pop_back();
}

absl::Status PersistentCalculators::MakeMissing(
    const GraphPlan& plan, CounterFactory* counters,
    const GraphServiceManager* services) {
  const int num_nodes = static_cast<int>(plan.nodes().size());
  for (; next_node_ < num_nodes; ++next_node_) {
    const PlanNode& node = plan.nodes()[next_node_];
    if (!node.is_persistent) continue;
    NodeEnvironment::Run no_run;
    no_run.node_id = node.id;
    no_run.input_side_packets =
        PacketSet(node.contract->InputSidePackets().TagMap());
    no_run.counters = counters;
    no_run.services = services;
    const NodeEnvironment environment(*node.contract, std::move(no_run));
    CalculatorContext context(environment);
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<CalculatorBase> calculator,
                              InvokeCreate(*node.factory, &context));
    kept_.push_back({node.id, std::move(calculator)});
  }
  return absl::OkStatus();
}

CalculatorBase* PersistentCalculators::Of(int node) const {
  const auto found =
      std::ranges::lower_bound(kept_, node, {}, &NodeObject::node);
  return found == kept_.end() || found->node != node ? nullptr
                                                     : found->calculator.get();
}

}  // namespace syncline
