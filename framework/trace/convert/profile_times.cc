#include "framework/trace/convert/profile_times.h"

#include <algorithm>
#include <limits>

#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

// The numbers next to the least and the greatest are special timestamps.
constexpr std::int64_t kNumSpecial = 4;

std::int64_t WrappingDifference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) -
                                   static_cast<std::uint64_t>(b));
}

// Rounds down, so that equal times stay equal.
std::int64_t ToUs(std::int64_t ns) {
  return ns >= 0 ? ns / 1000 : -((-ns + 999) / 1000);
}

bool HasTimestampOfProfile(TraceKind kind) {
  return kind == TraceKind::kProcessBegin || kind == TraceKind::kSent ||
         kind == TraceKind::kTaken || kind == TraceKind::kDropped;
}

}  // namespace

bool IsRegularTimestamp(std::int64_t timestamp) {
  return timestamp >= std::numeric_limits<std::int64_t>::min() + kNumSpecial &&
         timestamp <= std::numeric_limits<std::int64_t>::max() - kNumSpecial;
}

absl::optional<std::int64_t> LeastTimestamp(const Trace& trace) {
  absl::optional<std::int64_t> least;
  for (const TraceThread& thread : trace.threads) {
    for (const TraceEvent& event : thread.events) {
      if (!HasTimestampOfProfile(event.kind()) ||
          !IsRegularTimestamp(event.timestamp)) {
        continue;
      }
      least = std::min(least.value_or(event.timestamp), event.timestamp);
    }
  }
  return least;
}

void ProfileTimes::SetTrace(const Trace& trace) {
  const TraceClockPoint& point = trace.clock_points.front();
  if (!steady_to_unix_ns_.has_value()) {
    steady_to_unix_ns_ = point.unix_ns - point.steady_ns;
    newest_us_ = ToUs(point.unix_ns);
  }
  absl::optional<std::uint64_t> first;
  for (const TraceThread& thread : trace.threads) {
    if (thread.events.empty()) continue;
    first = std::min(first.value_or(thread.events.front().tick),
                     thread.events.front().tick);
  }
  trace_begin_us_ = Us(trace, first.value_or(point.tick));
  if (!base_time_us_.has_value()) base_time_us_ = trace_begin_us_;
  if (base_timestamp_.has_value()) return;
  const absl::optional<std::int64_t> least = LeastTimestamp(trace);
  if (!least.has_value()) return;
  least_timestamp_ = std::min(least_timestamp_.value_or(*least), *least);
}

std::int64_t ProfileTimes::Us(const Trace& trace, std::uint64_t tick) const {
  return ToUs(trace.Ns(tick) + *steady_to_unix_ns_);
}

std::int64_t ProfileTimes::See(const Trace& trace, std::uint64_t tick) {
  const std::int64_t us = Us(trace, tick);
  newest_us_ = std::max(newest_us_, us);
  return us;
}

void ProfileTimes::MakeRelative(GraphTrace::CalculatorTrace* event) const {
  const std::int64_t base_us = base_time_us();
  const std::int64_t base_of_timestamps = base_timestamp();
  const auto of_stream = [&](GraphTrace::StreamTrace* stream) {
    if (stream->has_start_time()) {
      stream->set_start_time(stream->start_time() - base_us);
    }
    if (stream->has_finish_time()) {
      stream->set_finish_time(stream->finish_time() - base_us);
    }
    if (stream->has_packet_timestamp()) {
      stream->set_packet_timestamp(
          WrappingDifference(stream->packet_timestamp(), base_of_timestamps));
    }
  };
  if (event->has_start_time()) {
    event->set_start_time(event->start_time() - base_us);
  }
  if (event->has_finish_time()) {
    event->set_finish_time(event->finish_time() - base_us);
  }
  if (event->has_input_timestamp()) {
    event->set_input_timestamp(
        WrappingDifference(event->input_timestamp(), base_of_timestamps));
  }
  for (auto& stream : *event->mutable_input_trace()) of_stream(&stream);
  for (auto& stream : *event->mutable_output_trace()) of_stream(&stream);
}

}  // namespace syncline
