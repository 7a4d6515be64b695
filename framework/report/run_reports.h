// The reports about a run: who waits for what, and which queues have become
// absurdly long. Why a run stands still is said by standstill.h.
//
// Each report is a function of the plan and of what was seen of nodes, and
// knows no run. Every one names nodes and streams, and ends with what to do
// next.
//
// Thread rule: pure functions.
// Tested by run_reports_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_RUN_REPORTS_H_
#define SYNCLINE_FRAMEWORK_REPORT_RUN_REPORTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/memory_budget.h"
#include "framework/report/run_view.h"

namespace syncline {

// What `node` waits for to open. `has_side_packet`: it is there; `has_opened`:
// the node is open, or was.
MissingToOpen FindMissing(
    const GraphPlan& plan, int node,
    absl::FunctionRef<bool(int side_packet)> has_side_packet,
    absl::FunctionRef<bool(int node)> has_opened);

// A node waits for more room than a queue behind it has.
struct ShortRoom {
  int node = -1;
  PortRef queue;            // the reader's
  std::int64_t wanted = 0;  // in packets
  std::int64_t room = 0;
};

// Who feeds a graph input, as "--input=in=FILE", by the name of its stream; of
// others it is the application.
using FeederNames = std::map<std::string, std::string>;

// "the application", or who feeds in its place, or the node that sends the
// stream.
std::string ProducerText(const GraphPlan& plan, int stream,
                         const FeederNames& feeders);

// Whether packets wait at the node, or it waits for more than inputs.
bool HasSomethingToSay(const NodeSnapshot& snapshot);
// A text that says which packets the node holds, what it waits for, and what it
// has dropped. `missing` only matters while the node is not open.
std::string StallReport(const GraphPlan& plan, int node,
                        const NodeSnapshot& snapshot,
                        const MissingToOpen& missing,
                        const FeederNames& feeders);

// The conditions that hold the node, and what they say: "is held by ...".
std::string HeldByText(const PlanNode& plan, const NodeSnapshot& snapshot);

// --- Errors

// Full queues hold back what would empty them; `stall` is the report of one
// node.
std::string DeadlockReport(const GraphPlan& plan, const NodeSnapshot& snapshot,
                           absl::string_view stall);
// Nodes wait for room that queues cannot give; empty if none does. `explained`:
// the reports of all nodes, each in a line.
std::string RoomReport(const GraphPlan& plan, absl::Span<const ShortRoom> rooms,
                       absl::string_view explained);

// A queue holds `size` packets, and queue_error_size is not more.
std::string QueueErrorReport(const GraphPlan& plan, int node, int stream,
                             std::int64_t size, absl::string_view stall,
                             const FeederNames& feeders);
// The queues hold more than `limit` says.
std::string MemoryReport(const GraphPlan& plan, const QueueTally& tally,
                         absl::string_view limit, const FeederNames& feeders);

// --- Warnings

// Full queues may not grow, and the application is waited for.
std::string StallWarning(absl::string_view explained);
std::string OffsetWarning(const PlanNode& node);
std::string LongQueueWarning(const GraphPlan& plan, int node, int stream,
                             std::int64_t size, absl::string_view stall);
// The same for a queue that pausing sources does not hold back, though it has
// the limits of `input`.
std::string OverfullQueueWarning(const GraphPlan& plan, int node, int stream,
                                 std::int64_t size,
                                 const NodeSnapshot::Input& input,
                                 absl::string_view stall,
                                 const FeederNames& feeders);
// Only `matched` of the first `size` packets of a stream were processed.
std::string FewMatchesWarning(const GraphPlan& plan, int node, int stream,
                              std::int64_t size, std::int64_t matched);
std::string LongPollerWarning(const GraphPlan& plan, int stream,
                              std::int64_t size);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_RUN_REPORTS_H_
