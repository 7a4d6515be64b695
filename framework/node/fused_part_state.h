// FusedPartState: the state of one part of a fused node in a run: its object,
// its context, what waits at its inputs and how far its outputs are.
//
// It knows no other part: FusedNodeCalculator calls it, and delivers what it
// sent.
//
// Thread rule: as for the calculator that it belongs to; any thread may read
// `waiting` and `waits_for`.
// Tested by fused_node_test (fused_part_state_test.cc) and, in graphs, by
// fused_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/node_environment.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

struct FusedPartState {
  struct Output {
    Timestamp bound = Timestamp::PreStream();
    bool is_closed = false;
    bool had_packets = false;
    // What comes at t into the fused node, goes out here at t + offset.
    TimestampDiff whole_offset = TimestampDiff::Unset();
  };

  // For a new run. Before any part is opened, as each may send to later ones.
  void Prepare();
  // Timestamps of an output may go back if all that read it ignore time.
  // `outer` is the environment of the fused node. REQUIRES: environment.
  void IgnoreOrderAs(const NodeEnvironment& outer);
  // Before each call. REQUIRES: context.
  void BeginOutputs();
  // Adds what came to input `port`. REQUIRES: part->joins. INVALID_ARGUMENT if
  // a packet goes back.
  absl::Status Deliver(int port, absl::Span<const Packet> packets,
                       Timestamp bound);
  // Counts the packets that wait from one call to the next.
  void CountWaiting();
  // The same. RESOURCE_EXHAUSTED if these are too many.
  absl::Status CheckWaiting();
  // Lets go of all that belongs to the run.
  void EndRun();

  const FusedPart* part = nullptr;
  // Stays from run to run if it is persistent.
  std::unique_ptr<CalculatorBase> calculator;
  // The state of this run, from here on.
  std::unique_ptr<NodeEnvironment> environment;
  std::unique_ptr<CalculatorContext> context;
  // If the part joins: what waits, by port, and the rule for it.
  std::vector<InputQueue> queues;
  std::unique_ptr<InputSetReadiness> join;
  // By CountWaiting: the packets in the queues, and the port that is furthest
  // behind of those without packets, or -1.
  std::atomic<std::int64_t> waiting{0};
  std::atomic<int> waits_for{-1};
  std::vector<Output> outputs;  // by port
  bool is_open = false;
  bool is_over = false;  // nothing can come any more: it is to be closed
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_PART_STATE_H_
