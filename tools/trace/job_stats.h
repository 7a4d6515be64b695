// The last calls of each node, as job statistics of a scheduler show them: how
// many there were, how long the last ones took, and how the executors were
// loaded.
//
// Thread rule: a pure function and values.
// Tested by job_stats_test.

#ifndef SYNCLINE_TOOLS_TRACE_JOB_STATS_H_
#define SYNCLINE_TOOLS_TRACE_JOB_STATS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/trace/trace.h"

namespace syncline {

// States of conditions, by their numbers; others are not counted.
inline constexpr std::size_t kNumConditionStates =
    static_cast<std::size_t>(ConditionState::kNever) + 1;

struct NodeJobs {
  std::string node;
  std::string calculator;
  std::string executor;
  // Calls of Process that have ended.
  std::int64_t executions = 0;
  // The number of calls that the next numbers are of: the last ones.
  std::int64_t samples = 0;
  // In nanoseconds; the variance in their square.
  std::int64_t min_ns = 0;
  std::int64_t median_ns = 0;
  std::int64_t p90_ns = 0;
  std::int64_t max_ns = 0;
  double variance_ns2 = 0;
  // The time in all calls of Process, as a share of the time of the trace.
  double load = 0;
  // By ConditionState: how often the node's conditions were asked and said so.
  std::array<std::int64_t, kNumConditionStates> condition_checks{};
};

struct ExecutorJobs {
  std::string executor;
  std::int64_t nodes = 0;
  std::int64_t executions = 0;
  // How many of its calls ran at a time, on average.
  double load = 0;
};

struct JobStats {
  // By number.
  std::vector<NodeJobs> nodes;
  std::vector<ExecutorJobs> executors;
};

// `count`: how many of the last calls of each node are looked at; at least 1.
// REQUIRES: CheckTrace() is OK.
JobStats ComputeJobStats(const Trace& trace, std::int64_t count);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_JOB_STATS_H_
