// The graphs that Syncline runs for the workloads.
//
// Nodes that count, compute or send have the side packet "state". A graph
// without a source has the graph input "in"; a graph that is asked for single
// packets sends them on as "out".
//
// Thread rule: functions of their arguments.
#ifndef SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
#define SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_

#include "benchmarks/workload.h"
#include "framework/calculator.pb.h"

namespace syncline {

CalculatorGraphConfig MakeGraphConfig(const Workload& workload, int threads);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
