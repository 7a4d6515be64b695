// The reports of `trace` as tables, apart from how the numbers come about.
//
// Thread rule: pure functions.
// Tested by reports_test.

#ifndef SYNCLINE_TOOLS_TRACE_REPORTS_H_
#define SYNCLINE_TOOLS_TRACE_REPORTS_H_

#include <string>

#include "framework/trace/latency/latency.h"
#include "framework/trace/trace.h"
#include "tools/trace/critical.h"
#include "tools/trace/job_stats.h"
#include "tools/trace/node_stats.h"
#include "tools/trace/table.h"
#include "tools/trace/trace_diff.h"

namespace syncline {

Report StatsReport(const TraceStats& stats);
Report LatencyReport(const Trace& trace, const Latencies& latencies,
                     const LatencyOptions& options);
Report JobsReport(const JobStats& stats);
Report CriticalPathReport(const Trace& trace, const CriticalReport& critical);
Report DiffReport(const TraceDiff& diff);

// The messages of all paths and loops that are not limited, a line each, in the
// order in which they arrived: "(a,RECEIVE,PUBLISH) -> (b,RECEIVE,PUBLISH)",
// with the times at which each node of the path got the packet and sent the
// next one, in microseconds of Trace::Ns.
std::string LatencyLog(const Trace& trace, const Latencies& latencies);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_REPORTS_H_
