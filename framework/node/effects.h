// Effects: what follows from one event at a node for the rest of the run: calls
// that can run now, bounds that are passed on, queues that are full, errors.
// The node reports these facts. The thread that caused the event acts on them
// when it holds no lock, and this may have further effects.
//
// Thread rule: belongs to one thread.
// Tested by node_inputs_test and condition_gate_facts_test.

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

class TraceLane;

struct Effects {
  // A bound that a node passes on without a call.
  struct PassedBound {
    int stream;
    Timestamp bound;
  };
  // A queue became full (+1), is no longer full (-1), or deserves a warning
  // (0). A queue deserves a warning if it is long without a limit, or if few of
  // its packets match.
  struct QueueFact {
    int stream;
    int change;
    // It is a queue of a node, not of a reader in the application.
    bool is_node = true;
    // The queue of `long_port` is short, but its packets may be large.
    bool is_short = false;
    // For a warning.
    int node = -1;
    std::int64_t size = 0;
    // So many of `size` packets matched; -1: `size` is the length of the queue.
    std::int64_t matched = -1;
    // The input whose queue has grown to `size`, which is long or over its
    // limit; -1: the warning is another one.
    int long_port = -1;
  };

  // What a node with a gate needs; see condition_gate.h.
  struct GateFact {
    enum class Kind : std::uint8_t {
      // Its conditions are to be asked.
      kAsk,
      // It is a source, and its conditions let it be called.
      kSourceMayRun,
      // Its conditions have dispatched a call that cannot start after all: the
      // dispatch is to be undone.
      kUndo,
      // It has begun a batch, which is to wait for a time.
      kBatchBegun,
      // It begins to wait for inputs, until its timeout.
      kInputWaitBegun,
      // It has to be looked at again at `target_ns`.
      kTimer,
      // The queues of `stream` have more room.
      kRoom,
    };
    Kind kind;
    int node = -1;
    std::int64_t target_ns = 0;
    int stream = -1;
  };

  // A fan-out to eight readers, and the source again, need no heap.
  using Ready = absl::InlinedVector<Task*, 12>;

  // Invocations that can run now.
  Ready ready;
  absl::InlinedVector<PassedBound, 4> bounds;
  absl::InlinedVector<GateFact, 1> gate_facts;
  absl::InlinedVector<QueueFact, 1> queue_facts;
  std::vector<absl::Status> errors;
  // Packets that were dropped. They are released without a lock, because the
  // destructors of their values may run any code.
  std::vector<Packet> trash;

  // Where the thread notes what happens; null: the run is not traced.
  TraceLane* trace = nullptr;

  // There is something for the run to act on, besides calls that can run.
  bool HasReports() const {
    return !bounds.empty() || !queue_facts.empty() || !errors.empty() ||
           !trash.empty() || !gate_facts.empty();
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_EFFECTS_H_
