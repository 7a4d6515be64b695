// RunNodes: the nodes of a run, and who reads which stream.
//
// The nodes lie one after the other in one block of memory, in the order of the
// plan. All that a delivery needs to know about a stream lies in one cache
// line.
//
// Thread rule: constant after construction. The nodes look after themselves.
// Tested by run_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_NODES_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_NODES_H_

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/run/output_tap.h"
#include "framework/run/persistent_calculators.h"
#include "framework/run/queue_settings.h"
#include "framework/scheduler/task.h"

namespace syncline {

// A port of a node that reads a stream.
struct ReaderPort {
  Node* node;
  int port;
  // Its node takes packets as they arrive, so that it makes a difference which
  // one comes first (InputPolicyKind::is_deterministic).
  bool goes_by_arrival = false;
};
// All readers of one stream. Where it has taps, those that go by arrival come
// first, and get a packet before the taps do: an application that has seen the
// packet may answer by adding another one, which such a node has to get later.
// So it is with a flow limiter whose loop ends with an observed stream. The
// others get it behind the taps, and the last of them gets the packet itself,
// of which nobody else has a reference then.
struct alignas(64) StreamReaders {
  absl::InlinedVector<ReaderPort, 2> ports;
  std::vector<OutputTap*> taps;  // most streams have none

  // One reader, which is a node.
  bool HasOneNodeOnly() const { return ports.size() == 1 && taps.empty(); }
};

// The executor that runs a task of a run, which is an Invocation.
inline int ExecutorOf(const Task& task) {
  return static_cast<const Invocation&>(task).node->plan().executor;
}

class RunNodes {
 public:
  // All borrowed. `policies`: by node. `persistent_calculators`: null if there
  // are none.
  RunNodes(const GraphPlan& plan, const NodePolicies& policies,
           const PersistentCalculators* persistent_calculators,
           const InputLimits& limits,
           absl::Span<const std::shared_ptr<OutputTap>> taps);
  RunNodes(const RunNodes&) = delete;
  RunNodes& operator=(const RunNodes&) = delete;

  // Tells each node which of its outputs one join reads alone, so that what a
  // call sends there is delivered together. To be called once all gates are
  // set: nodes with a gate are told of each packet by itself.
  void LetNodesSendTogether(const GraphPlan& plan) const;

  // The nodes, by their ids.
  size_t size() const { return nodes_.size(); }
  const Node::Placed& operator[](int node) const { return nodes_[node]; }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }

  const StreamReaders& ReadersOf(int stream) const { return readers_[stream]; }
  // Who reads the only output of the node; null: it has none, or several.
  const StreamReaders* ReadersOfOnly(const Node& node) const {
    return ABSL_PREDICT_TRUE(node.outputs().size() == 1)
               ? &ReadersOf(node.outputs().stream(0))
               : nullptr;
  }
  std::vector<NodeSnapshot> Snapshots() const;
  // How many more packets each reading node's queue of `stream` has room for.
  std::int64_t RoomBehind(int stream) const;

 private:
  void MakeNodes(const GraphPlan& plan, const NodePolicies& policies,
                 const PersistentCalculators* persistent_calculators,
                 const InputLimits& limits);
  void ConnectReaders(const GraphPlan& plan, const NodePolicies& policies);
  void AddTaps(absl::Span<const std::shared_ptr<OutputTap>> taps);
  // The node that reads output `port` of `node` alone and joins plainly; null
  // if that is not so.
  const Node* JoinBehind(const PlanNode& node, int port) const;
  // Tells each node which nodes read its streams, if there are too many nodes
  // for the caches.
  void LetNodesFetchAhead();

  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Node::Placed> nodes_;
  std::vector<StreamReaders> readers_;  // by stream
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_NODES_H_
