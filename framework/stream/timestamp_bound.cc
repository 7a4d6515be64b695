// See the header; the rules are restated there.
#include "framework/stream/timestamp_bound.h"

#include <algorithm>

#include "framework/packet/timestamp.h"

namespace syncline {

Timestamp BoundByOffsetAtTheEnds(Timestamp input_timestamp,
                                 TimestampDiff offset) {
  if (input_timestamp == Timestamp::PreStream()) return Timestamp::Min();
  if (input_timestamp == Timestamp::PostStream()) {
    return Timestamp::OneOverPostStream();
  }
  return offset >= TimestampDiff(0)
             ? Timestamp::PostStream()
             : (Timestamp::Max() + offset).NextAllowedInStream();
}

Timestamp BoundAfterCall(const OutputOfCall& output) {
  Timestamp bound = std::max(output.bound, output.explicit_bound);
  if (output.last_packet != Timestamp::Unset()) {
    bound = std::max(bound, output.last_packet.NextAllowedInStream());
  }
  if (output.offset != TimestampDiff::Unset() &&
      output.input_timestamp.IsAllowedInStream()) {
    bound =
        std::max(bound, BoundByOffset(output.input_timestamp, output.offset));
  }
  return bound;
}

Timestamp BoundPassedOn(Timestamp input_bound, TimestampDiff offset) {
  if (offset == TimestampDiff::Unset() || !input_bound.IsRangeValue()) {
    return Timestamp::Unset();
  }
  return input_bound + offset;
}

}  // namespace syncline
