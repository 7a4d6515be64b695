// The tables that compare prints.
//
// Thread rule: pure functions.
// Tested by report_test.
#ifndef SYNCLINE_BENCHMARKS_REPORT_H_
#define SYNCLINE_BENCHMARKS_REPORT_H_

#include <string>
#include <vector>

#include "benchmarks/goals.h"
#include "benchmarks/samples.h"
#include "benchmarks/workload.h"

namespace syncline {

// A line per workload and number of threads: ours per packet and per
// invocation, then each peer with the ratio of ours to it, the spread of ours,
// and other figures. Workloads in which Syncline was not measured are left out.
std::string ComparisonTable(const std::vector<const Workload*>& workloads,
                            const Samples& samples,
                            const std::vector<std::string>& peers);

// A line for each goal: its value, bar and aim, and which of the two is
// reached.
std::string GoalTable(const std::vector<Goal>& goals);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_REPORT_H_
