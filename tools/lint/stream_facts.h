// StreamFacts: what the way of a stream, from its sources, says of it.
//
//   camera ─┬────────────────────────────┬─ join
//           └─ resize ── detector ───────┘
//             (offset 0)  (no promise)
//
// Here "detector" is the silent node of the lower input of the join: when it
// sends nothing, the bound of its output stays where it is. The upper input has
// none. A node is silent if it promises no timestamp offset and is not called
// for bounds; a source is not, because nobody waits for it to answer an input.
//
// Back edges and inputs with `idle_after` pass nothing on.
//
// Thread rule: constant once it is made.
// Tested by stream_facts_test.

#ifndef SYNCLINE_TOOLS_LINT_STREAM_FACTS_H_
#define SYNCLINE_TOOLS_LINT_STREAM_FACTS_H_

#include <cstdint>
#include <vector>

#include "framework/plan/graph_plan.h"
#include "tools/lint/needed_conditions.h"

namespace syncline {

class StreamFacts {
 public:
  static constexpr int kNone = -1;
  // Several that differ.
  static constexpr int kMixed = -2;

  // Both are borrowed. `conditions` has those of each node.
  StreamFacts(const GraphPlan& plan,
              const std::vector<NeededConditions>& conditions);

  // The silent node that is nearest to the stream, or kNone.
  int silent(int stream) const { return streams_[stream].silent; }
  // For a silent node: the next one on the way to its sources, or kNone.
  int silent_before(int node) const { return nodes_[node].silent_before; }
  // A silent node is `node` or one before it.
  bool IsBehindSilent(int stream, int node) const;

  // Of the nodes that collect input sets before they send something, that which
  // collects the most, and how many; kNone and 1 if there is none.
  int collector(int stream) const { return streams_[stream].collector; }
  std::int64_t collected(int stream) const {
    return streams_[stream].collected;
  }

  // The node that gives the packets new times: a source with a period, or one
  // that samples a stream anew. kNone where the times are those of a source
  // without a known rate, kMixed where several nodes do.
  int timer(int stream) const { return streams_[stream].timer; }

  // Whether a source can feed both sets; see GraphPlan::ForEachSource.
  bool ShareSource(int source_set, int other_set) const;

 private:
  struct Stream {
    int silent = kNone;
    int collector = kNone;
    std::int64_t collected = 1;
    int timer = kNone;
  };
  struct Node {
    int silent_before = kNone;
    int depth = 0;  // how many silent nodes come before this one
  };

  void Follow(const PlanNode& node, const NeededConditions& conditions);
  // The facts of the inputs together.
  Stream OfInputs(const PlanNode& node) const;
  int Depth(int silent) const {
    return silent == kNone ? -1 : nodes_[silent].depth;
  }

  const GraphPlan& plan_;
  std::vector<Stream> streams_;
  std::vector<Node> nodes_;
  // How many sources may still be looked at for ShareSource.
  mutable std::int64_t visits_left_ = 10'000'000;
};

// The input of the node reads what comes once, before all packets: a header, by
// the tags of such streams (VIDEO_HEADER, VIDEO_PRESTREAM, ...). After its one
// packet such a stream is settled for good.
bool ReadsHeader(const GraphPlan& plan, const PlanNode& node, int port);

// The node samples a stream anew, and its packets have times of their own.
bool SamplesAnew(const PlanNode& node);

// The recess_period of a source in nanoseconds, if a PeriodicCondition of its
// own calls it; 0 if none does.
std::int64_t PeriodOf(const PlanNode& node);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_STREAM_FACTS_H_
