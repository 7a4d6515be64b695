#include "framework/trace/convert/node_profiles.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "framework/trace/sum_in_range.h"

namespace syncline {
namespace {

void Merge(const NodeProfile& from, NodeProfile* to) {
  to->open_us = SumInRange(to->open_us, from.open_us);
  to->close_us = SumInRange(to->close_us, from.close_us);
  to->process.MergeFrom(from.process);
  to->input_latency.MergeFrom(from.input_latency);
  to->output_latency.MergeFrom(from.output_latency);
  for (std::size_t i = 0; i < from.stream_latency.size(); ++i) {
    to->stream_latency[i].MergeFrom(from.stream_latency[i]);
  }
}

bool IsBackEdge(const TraceFileHeader::Node& node, int port) {
  return port < node.input_is_back_edge_size() && node.input_is_back_edge(port);
}

}  // namespace

void DurationCounts::Add(std::int64_t duration_us,
                         const GraphProfileOptions& options) {
  const std::int64_t duration = std::max<std::int64_t>(duration_us, 0);
  if (counts_.empty()) counts_.resize(options.histogram_intervals);
  total_us_ = SumInRange(total_us_, duration);
  ++counts_[std::min(duration / options.histogram_interval_us,
                     options.histogram_intervals - 1)];
}

void DurationCounts::MergeFrom(const DurationCounts& other) {
  total_us_ = SumInRange(total_us_, other.total_us_);
  if (other.counts_.empty()) return;
  if (counts_.empty()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] += other.counts_[i];
  }
}

TimeHistogram DurationCounts::ToHistogram(
    const GraphProfileOptions& options) const {
  TimeHistogram histogram;
  histogram.set_total(total_us_);
  if (options.histogram_interval_us != histogram.interval_size_usec()) {
    histogram.set_interval_size_usec(options.histogram_interval_us);
  }
  if (options.histogram_intervals != histogram.num_intervals()) {
    histogram.set_num_intervals(options.histogram_intervals);
  }
  for (std::int64_t i = 0; i < options.histogram_intervals; ++i) {
    histogram.add_count(counts_.empty() ? 0 : counts_[i]);
  }
  return histogram;
}

NodeProfiles::NodeProfiles(const TraceFileHeader& header,
                           const GraphProfileOptions& options)
    : header_(header), options_(options) {
  for (const TraceFileHeader::Node& node : header.node()) {
    is_chosen_.push_back(options.histogram_nodes.Matches(node.name()));
    new_.push_back(Fresh(static_cast<std::int32_t>(new_.size())));
  }
  old_ = new_;
}

std::vector<CalculatorProfile> NodeProfiles::Take() {
  std::vector<CalculatorProfile> profiles;
  for (std::size_t i = 0; i < new_.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    NodeProfile taken = std::exchange(new_[i], Fresh(node));
    Merge(taken, &old_[i]);
    if (!is_chosen_[i]) continue;
    taken.open_us = old_[i].open_us;
    taken.close_us = old_[i].close_us;
    profiles.push_back(ToProfile(node, taken));
  }
  return profiles;
}

std::vector<CalculatorProfile> NodeProfiles::All() const {
  std::vector<CalculatorProfile> profiles;
  for (std::size_t i = 0; i < new_.size(); ++i) {
    NodeProfile all = old_[i];
    Merge(new_[i], &all);
    profiles.push_back(ToProfile(static_cast<std::int32_t>(i), all));
  }
  return profiles;
}

void NodeProfiles::Reset() {
  for (std::size_t i = 0; i < new_.size(); ++i) {
    NodeProfile kept = Fresh(static_cast<std::int32_t>(i));
    kept.open_us = SumInRange(old_[i].open_us, new_[i].open_us);
    kept.close_us = SumInRange(old_[i].close_us, new_[i].close_us);
    old_[i] = std::move(kept);
    new_[i] = Fresh(static_cast<std::int32_t>(i));
  }
}

NodeProfile NodeProfiles::Fresh(std::int32_t node) const {
  NodeProfile profile;
  profile.stream_latency.resize(header_.node(node).input_stream_size());
  return profile;
}

CalculatorProfile NodeProfiles::ToProfile(std::int32_t node,
                                          const NodeProfile& profile) const {
  const TraceFileHeader::Node& in_header = header_.node(node);
  CalculatorProfile result;
  result.set_name(in_header.name());
  result.set_open_runtime(profile.open_us);
  result.set_close_runtime(profile.close_us);
  *result.mutable_process_runtime() = profile.process.ToHistogram(options_);
  // Without enable_stream_latency, MediaPipe's files have these histograms, and
  // nothing in them.
  result.mutable_process_input_latency();
  result.mutable_process_output_latency();
  if (!options_.has_stream_latency) return result;
  *result.mutable_process_input_latency() =
      profile.input_latency.ToHistogram(options_);
  *result.mutable_process_output_latency() =
      profile.output_latency.ToHistogram(options_);
  for (int port = 0; port < in_header.input_stream_size(); ++port) {
    StreamProfile* const stream = result.add_input_stream_profiles();
    stream->set_name(header_.stream(in_header.input_stream(port)).name());
    stream->set_back_edge(IsBackEdge(in_header, port));
    *stream->mutable_latency() =
        profile.stream_latency[port].ToHistogram(options_);
  }
  return result;
}

}  // namespace syncline
