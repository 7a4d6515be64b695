// NodeProfiles: histograms of where the nodes of a graph spend their time.
//
// Thread rule: for one thread at a time.
// Tested by node_profiles_test and graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_PROFILES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_PROFILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "framework/config/calculator_profile.pb.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/node_filter.h"

namespace syncline {

// Durations in microseconds, counted by length. The last bucket counts all that
// are longer.
class DurationCounts {
 public:
  // A negative duration, of clocks that contradict each other, counts as 0. The
  // total stays in range.
  void Add(std::int64_t duration_us, const GraphProfileOptions& options);
  void MergeFrom(const DurationCounts& other);
  TimeHistogram ToHistogram(const GraphProfileOptions& options) const;

 private:
  std::int64_t total_us_ = 0;
  // Empty, or one for each bucket.
  std::vector<std::int64_t> counts_;
};

struct NodeProfile {
  std::int64_t open_us = 0;
  std::int64_t close_us = 0;
  DurationCounts process;
  // From the origin of the oldest packet of a call to its begin and its end.
  // These latencies, and those below, are part of a profile only with
  // GraphProfileOptions::has_stream_latency.
  DurationCounts input_latency;
  DurationCounts output_latency;
  // By port: from when a packet was sent to the begin of the call that takes
  // it.
  std::vector<DurationCounts> stream_latency;
};

class NodeProfiles {
 public:
  // The options outlive this.
  NodeProfiles(const TraceFileHeader& header,
               const GraphProfileOptions& options);

  // What is added here is part of both results below.
  NodeProfile& Of(std::int32_t node) { return new_[node]; }

  // What came since the last Take, of the nodes that the filter of the options
  // names; the times of Open and Close are those of the whole run.
  std::vector<CalculatorProfile> Take();
  // Of the whole run, all nodes.
  std::vector<CalculatorProfile> All() const;
  // Forgets all but the times of Open and Close.
  void Reset();

 private:
  NodeProfile Fresh(std::int32_t node) const;
  CalculatorProfile ToProfile(std::int32_t node,
                              const NodeProfile& profile) const;

  const TraceFileHeader header_;
  const GraphProfileOptions& options_;
  // By node.
  std::vector<bool> is_chosen_;
  std::vector<NodeProfile> new_;
  // Up to the last Take.
  std::vector<NodeProfile> old_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_PROFILES_H_
