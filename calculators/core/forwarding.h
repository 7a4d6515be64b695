// What calculators that pass packets on share: pairs of ports, headers, and
// bounds that only rise.
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

// INVALID_ARGUMENT, in the name of `calculator`, unless the inputs and outputs
// without a tag are pairs, at least one. `unpaired` inputs at the end have no
// partner.
absl::Status CheckUntaggedPairs(absl::string_view calculator,
                                CalculatorContract* cc, int unpaired = 0);

// The same, and declares that each pair carries one type, whatever it is.
absl::Status DeclareUntaggedPairs(absl::string_view calculator,
                                  CalculatorContract* cc, int unpaired = 0);

// In Open: the outputs without a tag get the headers of their inputs.
void ForwardUntaggedHeaders(CalculatorContext* cc);

// In Process: the packets that came go out of the outputs without a tag.
void ForwardUntaggedPackets(CalculatorContext* cc);

// In Process: whether any input has a packet. None has in a call that
// TimeoutInputStreamHandler makes when all are silent; what is sent then may be
// at a time that has been sent already, or at none.
bool AnyInputHasPacket(const CalculatorContext& cc);

// The bound of an input stream that shows `value` in a call: a packet, or an
// empty one with the time up to which the stream is settled. OneOverPostStream
// if nothing comes any more.
Timestamp BoundAfter(const Packet& value);

// Nothing comes below `bound`. Does nothing if that is known already; past Max
// nothing comes at all, so the stream is closed.
void RaiseBound(Timestamp bound, OutputStream& output);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_FORWARDING_H_
