// The bound of an output stream after a call, and where a node passes bounds on
// without a call.
//
// A stream's bound is the lowest timestamp that its next packet may have
// (docs/concepts/timestamps.md). Three things move it during a call, and the
// highest wins:
//
//   packets sent        the successor of the last one
//   SetNextTimestampBound  the timestamp given
//   timestamp offset d  "what I send for an input at t is at t + d": once the
//                       call at t is over, everything up to t + d is settled
//
// A node with an offset also passes bounds on while it is not called at all: if
// nothing can come in before B, nothing can go out before B + d.
//
// Nothing here holds state, so every rule is tested as a table.
//
// Thread rule: pure functions.
// Tested by bound_after_call_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_BOUND_AFTER_CALL_H_
#define SYNCLINE_FRAMEWORK_STREAM_BOUND_AFTER_CALL_H_

#include "absl/base/optimization.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// What one call did to one output. Unset() and TimestampDiff::Unset() say that
// it did not happen, or is not declared.
struct OutputOfCall {
  // The bound of the stream before the call.
  Timestamp bound;
  // The input timestamp of the call: Unstarted() in Open, Done() in Close.
  Timestamp input_timestamp;
  TimestampDiff offset = TimestampDiff::Unset();
  // OutputStream::explicit_bound() after this call.
  Timestamp explicit_bound;
  // The timestamp of the last packet sent in this call.
  Timestamp last_packet;
};

// The bound after the call; never below `output.bound`.
Timestamp BoundAfterCall(const OutputOfCall& output);

// The bound that a call at `input_timestamp` promises by its offset alone:
// PreStream gives Min, PostStream gives OneOverPostStream, Max gives PostStream
// (or, with a negative offset, the successor of Max + offset), anything else
// its successor plus the offset, kept within the ordinary range.
// REQUIRES: input_timestamp.IsAllowedInStream(), offset is set.
Timestamp BoundByOffset(Timestamp input_timestamp, TimestampDiff offset);

// `bound`, or the bound by the offset if that is set and higher. A call that
// has no input timestamp, as Open, promises nothing.
Timestamp RaisedByOffset(Timestamp bound, Timestamp input_timestamp,
                         TimestampDiff offset);

// BoundAfterCall for a call that did nothing but send packets, which made the
// bound `bound`.
inline Timestamp BoundAfterPackets(Timestamp bound, Timestamp last_packet,
                                   TimestampDiff offset,
                                   Timestamp input_timestamp) {
  // The most common case: the packet went as far as the offset does.
  if (ABSL_PREDICT_TRUE(
          offset == TimestampDiff::Unset() ||
          (offset == TimestampDiff(0) && last_packet == input_timestamp))) {
    return bound;
  }
  return RaisedByOffset(bound, input_timestamp, offset);
}

// The bound that a node with an offset passes on while its inputs, together,
// have the bound `input_bound` and no call is due. Unset() when there is
// nothing to pass on: no offset, or a bound outside the ordinary range (the end
// of the inputs travels by closing the node).
Timestamp BoundPassedOn(Timestamp input_bound, TimestampDiff offset);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_BOUND_AFTER_CALL_H_
