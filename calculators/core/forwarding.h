// Functions for calculators that send their inputs on: pairs of ports, headers,
// and bounds that only rise.
//
//   input_stream: "a"  input_stream: "b"    the pairs: a with c, b with d
//   output_stream: "c" output_stream: "d"
//
// Thread rule: pure functions on one call's data.
// Tested by flow_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_FORWARDING_H_
#define SYNCLINE_CALCULATORS_CORE_FORWARDING_H_

#include "framework/calculator_framework.h"

namespace syncline {

// INVALID_ARGUMENT, with the name of `calculator`, unless the inputs and
// outputs without a tag form pairs, at least one. The last `unpaired` inputs
// have no partner.
absl::Status CheckUntaggedPairs(absl::string_view calculator,
                                CalculatorContract* cc, int unpaired = 0);

// The same, and declares that both ports of a pair carry the same type, which
// may be any type.
absl::Status DeclareUntaggedPairs(absl::string_view calculator,
                                  CalculatorContract* cc, int unpaired = 0);

// For Open: gives the outputs without a tag the headers of their inputs.
void ForwardUntaggedHeaders(CalculatorContext* cc);

// For Process: sends the packets of the inputs on the outputs without a tag.
void ForwardUntaggedPackets(CalculatorContext* cc);

// For Process: whether any input has a packet. None has one in a call that
// TimeoutInputStreamHandler makes because all inputs are silent. Such a call
// may be at a time at which packets were sent already, or at no time.
bool AnyInputHasPacket(const CalculatorContext& cc);

// The bound of an input stream that has `value` in a call: a packet, or an
// empty packet with the time up to which the stream is settled.
// OneOverPostStream if no packet can follow.
Timestamp BoundAfter(const Packet& value);

// Raises the bound to `bound` if it is lower. If `bound` is past Max no packet
// can follow, so the stream is closed.
void RaiseBound(Timestamp bound, OutputStream& output);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_FORWARDING_H_
