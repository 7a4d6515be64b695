// The graphs of Syncline for the workloads.
//
// Nodes that count, compute or send have the side packet "state". A graph
// without a source has the graph input "in"; a graph for single packets has the
// graph output "out".
//
// Thread rule: pure functions.
#ifndef SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
#define SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_

#include "benchmarks/workload.h"
#include "framework/calculator.pb.h"

namespace syncline {

CalculatorGraphConfig MakeGraphConfig(const Workload& workload, int threads);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
