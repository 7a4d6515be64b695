// The rules are those that the header states.
#include "framework/stream/bound_after_call.h"

#include <algorithm>

#include "framework/packet/timestamp.h"

namespace syncline {
namespace {

// BoundByOffset for PreStream, Max and PostStream.
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

}  // namespace

Timestamp BoundByOffset(Timestamp input_timestamp, TimestampDiff offset) {
  if (input_timestamp < Timestamp::Max() &&
      input_timestamp != Timestamp::PreStream()) {
    const Timestamp next = input_timestamp.NextAllowedInStream();
    return offset == TimestampDiff(0) ? next : next + offset;
  }
  return BoundByOffsetAtTheEnds(input_timestamp, offset);
}

Timestamp RaisedByOffset(Timestamp bound, Timestamp input_timestamp,
                         TimestampDiff offset) {
  if (offset == TimestampDiff::Unset() ||
      !input_timestamp.IsAllowedInStream()) {
    return bound;
  }
  return std::max(bound, BoundByOffset(input_timestamp, offset));
}

Timestamp BoundAfterCall(const OutputOfCall& output) {
  Timestamp bound = std::max(output.bound, output.explicit_bound);
  if (output.last_packet != Timestamp::Unset()) {
    bound = std::max(bound, output.last_packet.NextAllowedInStream());
  }
  return RaisedByOffset(bound, output.input_timestamp, output.offset);
}

Timestamp BoundPassedOn(Timestamp input_bound, TimestampDiff offset) {
  if (offset == TimestampDiff::Unset() || !input_bound.IsRangeValue()) {
    return Timestamp::Unset();
  }
  return input_bound + offset;
}

}  // namespace syncline
