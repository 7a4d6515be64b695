// For tests of reports and of the parts of a run: plans, and snapshots of nodes
// in them.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_REPORT_REPORT_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_REPORT_REPORT_TEST_SUPPORT_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/test_lambda.h"
#include "gtest/gtest.h"

namespace syncline {

// The plan of a graph that has to be right.
inline GraphPlan TestPlan(const std::string& config) {
  absl::StatusOr<GraphPlan> plan = Compile(TestConfig(config));
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

// An open node whose inputs have all come as far as `bound`. No packet waits.
inline NodeSnapshot OpenNode(int num_inputs, Timestamp bound) {
  NodeSnapshot snapshot;
  snapshot.state = NodeState::kOpen;
  snapshot.inputs.resize(num_inputs);
  for (NodeSnapshot::Input& input : snapshot.inputs) {
    input.bound = input.min_timestamp_or_bound = bound;
  }
  return snapshot;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_REPORT_TEST_SUPPORT_H_
