// Which packets are left at the nodes when nothing can happen any more in a
// run, and the error or the warning that names them.
//
// If an open node has packets that no call took, that is an error. There are
// two exceptions: the run was told to end, or the node waits for its
// conditions. A deadlock of conditions ends a run with OK, as in GXF, unless
// the graph sets report_deadlock. Nodes behind such a node wait for it, so they
// count as held.
//
// Thread rule: pure functions.
// Tested by packets_left_verdict_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_PACKETS_LEFT_VERDICT_H_
#define SYNCLINE_FRAMEWORK_REPORT_PACKETS_LEFT_VERDICT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/left_at_end.h"
#include "framework/report/run_reports.h"

namespace syncline {

// A node that may be left with something.
struct NodeAtEnd {
  int node = -1;
  NodeSnapshot snapshot;
  // Looked at while the node is not open.
  MissingToOpen missing;
  // Node::WaitsForConditions().
  bool waits_for_conditions = false;
};

struct PacketsLeftVerdict {
  // The nodes at which packets wait, and the nodes that are held.
  std::vector<LeftAtEnd> nodes;
  // If not OK, the run ends with this error.
  absl::Status error;
};

// Finds what these nodes are left with. `may_be_left`: the run was told to end,
// so packets that are left are no error.
PacketsLeftVerdict FindLeft(const GraphPlan& plan,
                            absl::Span<const NodeAtEnd> nodes,
                            bool may_be_left);

// The nodes `waiting`, and all nodes behind them; by node.
std::vector<bool> FindHeldNodes(const GraphPlan& plan,
                                absl::Span<const int> waiting);

// The entry for a node that was closed because the run was over and sent so
// many packets in Close(), by output; they reach nobody.
LeftAtEnd SentInVain(const GraphPlan& plan, int node,
                     const NodeSnapshot& snapshot,
                     absl::Span<const std::size_t> sent);

// The warning for a run that ended well with these entries. Empty if no packet
// was lost. It names packets that waited and packets that were sent in vain,
// but only a few of each kind.
std::string PacketsLeftWarning(absl::Span<const LeftAtEnd> left);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_PACKETS_LEFT_VERDICT_H_
