// NodeUnderTest: a node without a graph around it and without a thread. A test
// brings packets, bounds and times to the node, looks at what follows from each
// of them, and runs the calls that are ready.
//
//   NodeUnderTest node(R"(input_stream: "a" output_stream: "out")");
//   node.Open();
//   EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 (10)"));
//   EXPECT_THAT(node.Run(), ElementsAre("bound of out: 11"));
//
// What follows is told as text:
//
//   "open", "close"               the call is ready
//   "process 10 (10, -)"          Process is ready for the input set at 10,
//                                 with a packet of the first input only
//   "process 10 (10) 20 (20)"     the same, for a batch
//   "process 10 later"            the call takes its input set when it starts
//   "bound of out: 11"            a bound is passed on without a call
//   "full: a", "not full: a"      a queue reaches its limit, or has room again;
//                                 long queues are not told of
//   "dropped 10", "error ..."
//   "ask", "source", "undo", "batch", "wait", "timer 50", "room"
//                                 the gate; see Effects::GateFact
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_TEST_SUPPORT_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate_test_support.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions_test_support.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// Its calls do what the test says. It may make side packets of any type.
class NodeTestCalculator : public LambdaBase<CalculatorBase> {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
};

class NodeUnderTest {
 public:
  using Told = std::vector<std::string>;

  // `fields` are those of the node's config. The graph has the inputs "a", "b"
  // and "c".
  explicit NodeUnderTest(absl::string_view fields);

  // --- The setup: to be done before any other function is called

  // What the node is made from.
  PlanNode plan;
  InputPolicyKind policy;
  NodeSettings settings;
  // The node's calculator, unless settings.kept_calculator is cleared.
  NodeTestCalculator calculator;

  // The inputs whose times of arrival the conditions look at.
  std::vector<int> watched_arrivals;
  // What the first condition needs.
  std::vector<PacketNeed> needs;
  // Gives the node a gate with so many conditions; -1 gives it a gate without
  // any. The result of all conditions together is what Ask says.
  void SetGate(int num_conditions);

  // --- The life of the node

  Node& node();
  // Takes the node from Start to FinishOpen. Returns what follows from
  // FinishOpen.
  Told Open();
  // Runs the call that became ready first, delivers nothing, and finishes it.
  // Returns what follows from that.
  Told Run();
  // The first half of Run: runs the call that became ready first.
  Invocation* Call();
  // The second half of Run, for calls that do not overlap.
  Told Finish(Invocation* invocation);
  // The second half of Run, for overlapping calls: the call has returned. Also
  // finishes the calls whose results this thread sends now.
  Told Return(Invocation* invocation);
  // How many calls are ready, and did not run yet.
  int num_ready() const { return static_cast<int>(ready_.size()); }

  // --- What arrives. Each function returns what follows from it.

  // A packet, and the bound after it.
  Told Add(int port, int time);
  Told Add(int port, Packet packet);
  // Several packets at once, and the bound after the last.
  Told AddAll(int port, const std::vector<int>& times);
  Told Bound(int port, int bound);
  Told End(int port);

  // --- The gate

  // The conditions are asked at `now_ns`, and come to `result`. They dispatch
  // the call if they are ready and there is an input set.
  Told Ask(const ConditionResult& result, std::int64_t now_ns = 1);
  // Does `what` to the node.
  Told After(const std::function<void(Node*, Effects*)>& what);

  // --- Looking in

  // What the calls have sent since Sent was last called: "out 10, 11 bound 12".
  Told Sent() { return std::exchange(sent_, {}); }
  // How many packets wait at `port`.
  std::int64_t Waiting(int port) { return Input(port).queue_size; }
  NodeSnapshot::Input Input(int port) { return node().Snapshot().inputs[port]; }
  Holds holds;
  ConditionsUnderTest& conditions() { return *conditions_; }
  static Packet At(int time) {
    return MakePacket<int>(time).At(Timestamp(time));
  }

 private:
  Told TakeTold();
  std::string ReadyText(const Invocation& invocation);
  std::string StreamName(int stream) const;
  Told Deliver(int port, absl::Span<Packet> packets, Timestamp bound);
  void Send(CalculatorContext* context);

  const GraphPlan graph_;
  TestClock clock_;
  std::pmr::monotonic_buffer_resource memory_;
  absl::optional<ConditionsUnderTest> conditions_;
  absl::optional<int> gate_conditions_;
  Node::Placed node_;
  std::unique_ptr<Effects> effects_ = std::make_unique<Effects>();
  std::deque<Invocation*> ready_;
  Told sent_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_TEST_SUPPORT_H_
