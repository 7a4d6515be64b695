// What the nodes, queues and threads of a run did, in numbers: where time went,
// what was waited for, and what was dropped.
//
// The events are gone through once, and what is kept grows with the packets
// that wait, not with the length of the trace.
//
// Thread rule: a pure function and values.
// Tested by node_stats_test.

#ifndef SYNCLINE_TOOLS_TRACE_NODE_STATS_H_
#define SYNCLINE_TOOLS_TRACE_NODE_STATS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "framework/stream/drop_cause.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace.h"

namespace syncline {

// All durations here are in nanoseconds.

// An input of a node, and its queue.
struct InputStats {
  std::string stream;
  // From the sending of a packet to the begin of the call that took it.
  Durations in_queue;
  // The most packets that were sent and neither taken nor dropped.
  std::int64_t most_waiting = 0;
  // Calls for which this input came last of all, by a packet or by a bound; how
  // long after the first one. Of nodes with several inputs.
  Durations came_last;
  // Full: how often, and how long in all.
  Durations full;
  DropCounts dropped;
};

struct NodeStats {
  std::string name;
  std::string calculator;
  // Calls of Process whose begin and end the trace has.
  Durations process;
  Durations open;
  Durations close;
  // Calls whose begin or end is lost, or outside of the trace.
  std::int64_t num_incomplete = 0;
  // Calls that returned an error; StatusStop() is none.
  std::int64_t num_failed = 0;
  // Something arrived, and no call could begin.
  std::int64_t num_not_ready = 0;
  // From kReady to the begin of the call, of all kinds of calls.
  Durations ready;
  // On devices.
  Durations device;
  // Of sources: how often and how long full queues held it.
  Durations throttled;
  // Of a node with several inputs: calls of Process before which the trace has
  // less than two inputs come, so that none of them came last.
  std::int64_t num_without_last = 0;
  // The most calls that ran at the same time.
  int most_at_once = 0;
  // By port.
  std::vector<InputStats> inputs;

  // Of all inputs.
  Durations in_queues() const;
  std::int64_t num_dropped() const;
};

// A stream that the application feeds.
struct GraphInputStats {
  std::string stream;
  std::int64_t packets = 0;
  // How often and how long the application had to wait for full queues.
  Durations throttled;
};

struct ThreadStats {
  std::string name;
  std::int64_t tid = 0;
  std::int64_t num_events = 0;
  std::int64_t num_lost = 0;
  std::int64_t calls = 0;
  // In calls; calls within calls count once.
  std::int64_t busy = 0;
  // The thread was woken, or asked, to run what waits.
  std::int64_t wake_ups = 0;
};

// All of it.
struct TraceStats {
  // By number.
  std::vector<NodeStats> nodes;
  std::vector<GraphInputStats> inputs;
  std::vector<ThreadStats> threads;
  // Of the run, as all reports have it: see TicksOfRun.
  std::int64_t duration = 0;

  // Positions in `nodes`, those first that were in calls the longest. Nodes of
  // the same time keep their order.
  std::vector<int> ByTime() const;
};

// REQUIRES: CheckTrace() is OK.
TraceStats ComputeTraceStats(const Trace& trace);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_NODE_STATS_H_
