// Effects: what follows from one event for others than the node that it
// happened to: calls that can run now, bounds that are passed on, queues that
// are full, errors. Nodes report it; the thread that told them of the event
// acts on it when it holds no lock, which may have effects in turn.
//
// Thread rule: belongs to one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_EFFECTS_H_
#define SYNCLINE_FRAMEWORK_NODE_EFFECTS_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/task.h"

namespace syncline {

class Node;

struct Effects {
  // A bound that a node passes on without a call.
  struct PassedBound {
    int stream;
    Timestamp bound;
  };
  // A queue became full (+1) or is no longer (-1). Or it is worth a warning
  // (0): it has no limit and is long; or few of its packets match.
  struct FullEdge {
    int stream;
    int change;
    bool is_node = true;  // not of an application's reader
    // The queue of `long_port` is not long, but its packets may be large.
    bool is_short = false;
    // For a warning.
    int node = -1;
    std::int64_t size = 0;
    // Of `size` packets; -1: `size` is the length.
    std::int64_t matched = -1;
    // The input whose queue has grown to `size`, which is long, or over its
    // limit; -1: it is none of these.
    int long_port = -1;
  };

  // Of a node with a gate; see node_gate.h.
  struct GateFact {
    enum class Kind : std::uint8_t {
      // Its conditions are to be asked.
      kAsk,
      // Its conditions said that a source may be called ...
      kSourceMayRun,
      // ... or were asked for a call that cannot start: that is to be undone.
      kUndo,
      // It holds a batch that is not full.
      kBatchBegun,
      // It begins to wait for inputs for a time at most.
      kInputWaitBegun,
      // It waits for `target_ns`.
      kTimer,
      // The queues of `stream` have more room.
      kRoom,
    };
    Kind kind;
    Node* node = nullptr;
    std::int64_t target_ns = 0;
    int stream = -1;
  };

  using Ready = absl::InlinedVector<Task*, 8>;

  // Invocations that can run now.
  Ready ready;
  absl::InlinedVector<PassedBound, 4> bounds;
  absl::InlinedVector<GateFact, 1> gate_facts;
  absl::InlinedVector<FullEdge, 1> full_edges;
  std::vector<absl::Status> errors;
  // Packets that were dropped; their values may run any code when they go.
  std::vector<Packet> trash;

  bool HasNews() const {
    return !bounds.empty() || !full_edges.empty() || !errors.empty() ||
           !trash.empty() || !gate_facts.empty();
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_EFFECTS_H_
