// PersistentCalculators: the objects of persistent nodes, which stay for all
// runs of a graph.
//
// They are made when the first run starts, in the order of the nodes, so that
// an object that cannot be made is known before anything runs. They are
// destroyed in the reverse order.
//
// Thread rule: made by the thread that starts a run; read during runs.
// Tested by persistent_calculators_test and, in graphs, by
// persistent_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_PERSISTENT_CALCULATORS_H_
#define SYNCLINE_FRAMEWORK_RUN_PERSISTENT_CALCULATORS_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class PersistentCalculators {
 public:
  PersistentCalculators() = default;
  PersistentCalculators(const PersistentCalculators&) = delete;
  PersistentCalculators& operator=(const PersistentCalculators&) = delete;
  ~PersistentCalculators();

  // Makes the objects that are not there yet. The error names the node. Objects
  // that were made stay, and the next call goes on from there. A constructor
  // that takes a context sees options, counters and services, but no side
  // packets: those belong to a run.
  absl::Status MakeMissing(const GraphPlan& plan, CounterFactory* counters,
                           const GraphServiceManager* services);

  // The calculator of a persistent node; null for other nodes.
  CalculatorBase* Of(int node) const;

 private:
  struct NodeObject {
    int node;
    std::unique_ptr<CalculatorBase> calculator;
  };

  std::vector<NodeObject> kept_;  // ascending
  int next_node_ = 0;             // those before it are made
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_PERSISTENT_CALCULATORS_H_
