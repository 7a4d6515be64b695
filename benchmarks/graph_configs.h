// The graphs of Syncline for the workloads.
//
// Nodes that count, compute or send have the side packet "state". A graph
// without a source has the graph input "in", and for a fed join the graph
// inputs of JoinedStreams; a graph for single packets has the graph output
// "out".
//
// Thread rule: pure functions.
#ifndef SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
#define SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_

#include <string>
#include <vector>

#include "benchmarks/workload.h"
#include "framework/calculator.pb.h"

namespace syncline {

// The names of the streams that a join of `size` inputs reads.
std::vector<std::string> JoinedStreams(int size);

CalculatorGraphConfig MakeGraphConfig(const Workload& workload, int threads);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GRAPH_CONFIGS_H_
