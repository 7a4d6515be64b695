#include "framework/trace/convert/graph_profile_options.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_profile.pb.h"

namespace syncline {
namespace {

// A node has several histograms, and a graph may have thousands of nodes.
constexpr std::int64_t kMaxIntervals = 10'000;
// Over a hundred years, so that no sum of times overflows.
constexpr std::int64_t kMaxDurationUs = std::int64_t{1} << 52;

// At 100 bytes for each, still memory that a machine may have.
constexpr std::int64_t kMaxCapacity = std::int64_t{1} << 24;
constexpr std::int64_t kDefaultCapacity = 20'000;
constexpr std::int64_t kMaxFiles = 1'000'000;

absl::Status CheckRange(absl::string_view field, std::int64_t value,
                        std::int64_t most, absl::string_view other = "") {
  if (value >= 0 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("profiler_config: ", field, " is ", value, "; it may be ",
                   other, "from 0, which means its default, to ", most));
}

}  // namespace

absl::StatusOr<GraphProfileOptions> ReadProfilerConfig(
    const ProfilerConfig& config) {
  SYNCLINE_RETURN_IF_ERROR(CheckRange("histogram_interval_size_usec",
                                      config.histogram_interval_size_usec(),
                                      kMaxDurationUs));
  SYNCLINE_RETURN_IF_ERROR(CheckRange("num_histogram_intervals",
                                      config.num_histogram_intervals(),
                                      kMaxIntervals));
  SYNCLINE_RETURN_IF_ERROR(CheckRange(
      "trace_log_margin_usec", config.trace_log_margin_usec(), kMaxDurationUs));
  SYNCLINE_RETURN_IF_ERROR(CheckRange(
      "trace_log_capacity", config.trace_log_capacity(), kMaxCapacity));
  SYNCLINE_RETURN_IF_ERROR(
      CheckRange("trace_log_count", config.trace_log_count(), kMaxFiles));
  SYNCLINE_RETURN_IF_ERROR(CheckRange("trace_log_interval_count",
                                      config.trace_log_interval_count(),
                                      kMaxFiles));
  if (config.trace_log_interval_usec() != -1) {
    SYNCLINE_RETURN_IF_ERROR(
        CheckRange("trace_log_interval_usec", config.trace_log_interval_usec(),
                   kMaxDurationUs, "-1, which means the end of the run, or "));
  }
  GraphProfileOptions options;
  options.has_events = config.trace_enabled();
  options.has_histograms = config.enable_profiler();
  options.has_stream_latency =
      config.enable_profiler() && config.enable_stream_latency();
  options.instant_events = config.trace_log_instant_events();
  for (const int type : config.trace_event_types_disabled()) {
    if (!GraphTrace::EventType_IsValid(type)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "profiler_config: trace_event_types_disabled has ", type,
          ", which is no number of GraphTrace.EventType: they are from ",
          GraphTrace::EventType_MIN, " to ", GraphTrace::EventType_MAX));
    }
    options.disabled_types.insert(type);
  }
  if (config.histogram_interval_size_usec() > 0) {
    options.histogram_interval_us = config.histogram_interval_size_usec();
  }
  if (config.num_histogram_intervals() > 0) {
    options.histogram_intervals = config.num_histogram_intervals();
  }
  SYNCLINE_ASSIGN_OR_RETURN(options.histogram_nodes,
                            NodeFilter::Make(config.calculator_filter()));
  options.added_packets_originate_at_timestamp =
      config.use_packet_timestamp_for_added_packet();
  options.margin_us = config.trace_log_margin_usec();
  options.most_events = config.trace_log_capacity() > 0
                            ? config.trace_log_capacity()
                            : kDefaultCapacity;
  return options;
}

}  // namespace syncline
