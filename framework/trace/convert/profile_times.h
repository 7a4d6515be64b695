// ProfileTimes: the clock of a GraphProfile, in microseconds since 1970, and
// what the times and timestamps of its events are relative to.
//
// Timestamps have base_timestamp taken off in 64 bits that wrap around, so that
// adding it gives special values back, too.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_TIMES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_TIMES_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/trace.h"

namespace syncline {

// Whether it is no special timestamp.
bool IsRegularTimestamp(std::int64_t timestamp);

class ProfileTimes {
 public:
  explicit ProfileTimes(const GraphProfileOptions& options)
      : base_time_us_(options.base_time_us),
        base_timestamp_(options.base_timestamp) {}

  // Events of this trace, which is the first or goes on with one before, are
  // looked at next.
  void SetTrace(const Trace& trace);
  // The time of its next event.
  std::int64_t See(const Trace& trace, std::uint64_t tick);
  // Of all events that were seen, or of the begin of the trace.
  std::int64_t newest_us() const { return newest_us_; }
  // Of the first event of the trace that was set last.
  std::int64_t trace_begin_us() const { return trace_begin_us_; }

  // The base of timestamps does not change from here on.
  void FixBase() { base_timestamp_ = base_timestamp(); }
  bool has_base_time() const { return base_time_us_.has_value(); }
  std::int64_t base_time_us() const { return base_time_us_.value_or(0); }
  std::int64_t base_timestamp() const {
    return base_timestamp_.value_or(least_timestamp_.value_or(0));
  }
  // Times and timestamps become relative.
  void MakeRelative(GraphTrace::CalculatorTrace* event) const;

 private:
  std::int64_t Us(const Trace& trace, std::uint64_t tick) const;

  // Added to the steady clock of a trace, in nanoseconds, it gives the time
  // since 1970 without the steps of that clock.
  absl::optional<std::int64_t> steady_to_unix_ns_;
  std::int64_t newest_us_ = 0;
  std::int64_t trace_begin_us_ = 0;
  absl::optional<std::int64_t> base_time_us_;
  absl::optional<std::int64_t> base_timestamp_;
  absl::optional<std::int64_t> least_timestamp_;
};

// The least regular timestamp of packets and calls of Process in the trace;
// nothing if it has none.
absl::optional<std::int64_t> LeastTimestamp(const Trace& trace);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_TIMES_H_
