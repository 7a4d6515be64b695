// For tests of what looks at a run: its parts, around nodes that no thread
// calls.
//
//   PartsOfRun run(R"(input_stream: "in" node { ... })");
//   run.Open(0);
//   run.Add(/*node=*/0, /*port=*/0, /*time=*/10);
//   EXPECT_THAT(RunLook(run.parts()).Explain(), HasSubstr("..."));
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_PARTS_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_PARTS_TEST_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/report/report_test_support.h"
#include "framework/run/gated_nodes.h"
#include "framework/run/graph_input.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/preparation/check_handlers.h"
#include "framework/run/queue_settings.h"
#include "framework/run/run_look.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_queues.h"
#include "framework/run/run_side_packets.h"
#include "framework/run/run_sources.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/stream/drop_cause.h"
#include "gtest/gtest.h"

namespace syncline {

class PartsOfRun {
 public:
  explicit PartsOfRun(const std::string& config)
      : plan_(TestPlan(config)),
        policies_(*FindPolicies(plan_)),
        nodes_(plan_, policies_, nullptr, NoLimits(plan_), {}),
        sources_(plan_),
        side_packets_(plan_.side_packets().size()) {
    for (const PlanGraphInput& input : plan_.graph_inputs()) {
      inputs.push_back(std::make_unique<GraphInput>(
          plan_.streams()[input.stream], input, /*checks_order=*/true));
    }
  }
  ~PartsOfRun() {
    for (const Node::Placed& node : nodes_) node->Destroy(DropCause::kAtEnd);
  }

  RunParts parts() {
    return {.run = this,
            .plan = plan_,
            .nodes = nodes_,
            .gated_nodes = gated_nodes,
            .sources = sources_,
            .side_packets = side_packets_,
            .queues = queues,
            .inputs = inputs,
            .pollers = pollers,
            .taps = taps,
            .texts = texts,
            .wait_point = wait_point.get(),
            .clock = &clock};
  }
  const GraphPlan& plan() const { return plan_; }
  RunSources& sources() { return sources_; }
  Node* node(int id) { return nodes_[id].get(); }

  // The node starts to be opened. Headers come to its first `headers` inputs.
  void Start(int id, int headers) {
    node(id)->Start(/*missing_side_packets=*/0, &effects);
    for (int port = 0; port < headers; ++port) {
      node(id)->HeaderArrived(port, Packet(), &effects);
    }
  }
  void Open(int id) {
    effects = Effects();
    Start(id, static_cast<int>(plan_.nodes()[id].inputs.size()));
    ASSERT_EQ(effects.ready.size(), 1);
    auto* const call = static_cast<Invocation*>(effects.ready[0]);
    ASSERT_EQ(node(id)->Open(call, {.node_id = id}), absl::OkStatus());
    call->sets[0].context->EndCall();
    node(id)->FinishOpen(call, &effects);
    effects = Effects();
  }
  // A packet comes to an input of a node.
  void Add(int id, int port, Packet packet) {
    const Timestamp bound = packet.Timestamp().NextAllowedInStream();
    node(id)->Deliver(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                      bound, &effects);
  }
  void Add(int id, int port, int time) {
    Add(id, port, MakePacket<int>(time).At(Timestamp(time)));
  }

  // --- What a test may change

  std::vector<std::unique_ptr<GraphInput>> inputs;
  std::vector<std::shared_ptr<PollerQueue>> pollers;
  std::vector<std::shared_ptr<OutputTap>> taps;
  RunQueues queues;
  RunTexts texts;
  ManualClock clock;
  const std::shared_ptr<WaitPoint> wait_point = std::make_shared<WaitPoint>();
  // What followed from Start and Add.
  Effects effects;

 private:
  static InputLimits NoLimits(const GraphPlan& plan) {
    const std::size_t count = plan.graph_inputs().size();
    return {.packets = std::vector<int>(count),
            .bytes = std::vector<std::int64_t>(count)};
  }

  const GraphPlan plan_;
  const NodePolicies policies_;
  RunNodes nodes_;

 public:
  GatedNodes gated_nodes{&nodes_};

 private:
  RunSources sources_;
  RunSidePackets side_packets_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_PARTS_TEST_SUPPORT_H_
