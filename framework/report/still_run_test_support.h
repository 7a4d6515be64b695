// For tests of standstills: a run that is seen at one moment, without a graph
// that runs.
//
//   StillRun run(R"(node { name: "join" ... })");
//   run.Queue("join", 0, 20);
//   EXPECT_EQ(run.Cause(), "\"join\" waits for ...");
//
// Thread rule: belongs to one thread.

#ifndef SYNCLINE_FRAMEWORK_REPORT_STILL_RUN_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_REPORT_STILL_RUN_TEST_SUPPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/report_test_support.h"
#include "framework/report/run_view.h"
#include "framework/report/standstill.h"
#include "gtest/gtest.h"

namespace syncline {

// A run whose nodes are open, have come as far as 10, and wait for nothing.
class StillRun {
 public:
  explicit StillRun(absl::string_view config)
      : plan_(TestPlan(std::string(config))) {
    for (const PlanNode& node : plan_.nodes()) {
      view_.nodes.push_back(
          OpenNode(static_cast<int>(node.inputs.size()), Timestamp(10)));
    }
    view_.missing.resize(view_.nodes.size());
    view_.sources.resize(plan_.sources().size());
  }

  int Id(absl::string_view name) const {
    for (const PlanNode& node : plan_.nodes()) {
      if (node.name == name) return node.id;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  NodeSnapshot& Node(absl::string_view name) { return view_.nodes[Id(name)]; }
  MissingToOpen& Missing(absl::string_view name) {
    return view_.missing[Id(name)];
  }
  RunView::Source& Source(absl::string_view name) {
    return view_.sources[plan_.nodes()[Id(name)].sources.position];
  }
  RunView& view() { return view_; }
  const GraphPlan& plan() const { return plan_; }

  // Packets wait there, the first of them at `time`.
  void Queue(absl::string_view name, int port, int time, int size = 1) {
    NodeSnapshot::Input& input = Node(name).inputs[port];
    input.queue_size = size;
    input.min_timestamp_or_bound = Timestamp(time);
    input.bound = Timestamp(time + size);
  }
  // All that came has been processed, up to before `bound`.
  void Settle(absl::string_view name, int port, Timestamp bound) {
    NodeSnapshot::Input& input = Node(name).inputs[port];
    input.bound = input.min_timestamp_or_bound = bound;
  }

  // The calculator says that it waits for a loop at this input; -1: at none.
  void AwaitLoop(absl::string_view name, int port) {
    std::vector<NodeSnapshot::Input>& inputs = Node(name).inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].loop_wait = static_cast<int>(i) == port
                                ? NodeSnapshot::LoopWait::kWaits
                                : NodeSnapshot::LoopWait::kGoesOn;
    }
  }

  // A thread is in a call of the node.
  void Enter(absl::string_view name) {
    const void* const call = &Node(name);
    Node(name).calls = {call};
    view_.calls.push_back(
        {.call = call, .timestamp = Timestamp(20), .thread = 7});
  }
  // The node has sent so many packets on its first output.
  void Send(absl::string_view name, int packets) {
    Node(name).outputs.resize(1);
    Node(name).outputs[0].packets_added = packets;
  }

  Standstill Find() const { return FindStandstill(plan_, view_); }
  std::string Cause() const { return Find().cause; }

 private:
  const GraphPlan plan_;
  RunView view_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_STILL_RUN_TEST_SUPPORT_H_
