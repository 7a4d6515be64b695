// GraphProfileOptions: what of a trace becomes part of a GraphProfile, as the
// ProfilerConfig of a graph says.
//
// Thread rule: a value.
// Tested by graph_profile_options_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_OPTIONS_H_

#include <cstdint>
#include <set>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/trace/convert/node_filter.h"

namespace syncline {

struct GraphProfileOptions {
  // The profile has the events.
  bool has_events = true;
  // It has histograms of nodes.
  bool has_histograms = true;
  // ... with the latencies of calls and of input streams.
  bool has_stream_latency = true;
  // An event for each begin and end, and for each packet, instead of one for
  // each call.
  bool instant_events = false;
  // Numbers of GraphTrace.EventType that are left out.
  std::set<int> disabled_types;
  std::int64_t histogram_interval_us = 1'000'000;
  std::int64_t histogram_intervals = 1;
  // Of these nodes there are histograms.
  NodeFilter histogram_nodes;
  // A packet of the application originates at its timestamp, taken as
  // microseconds since 1970, and not when it was sent.
  bool added_packets_originate_at_timestamp = false;
  // What is younger at a capture comes with a later one.
  std::int64_t margin_us = 0;
  // A capture has so many of the newest events, as MediaPipe counts them: one
  // for each packet that a call takes or sends. 0: all.
  std::int64_t most_events = 0;
  // What times and timestamps are relative to. If not set: the first event, and
  // the least timestamp, of the first capture.
  absl::optional<std::int64_t> base_time_us;
  absl::optional<std::int64_t> base_timestamp;
};

// INVALID_ARGUMENT names the field that is out of range, also of those about
// files and memory.
absl::StatusOr<GraphProfileOptions> ReadProfilerConfig(
    const ProfilerConfig& config);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_OPTIONS_H_
