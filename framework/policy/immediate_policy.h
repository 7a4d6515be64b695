// ImmediateInputStreamHandler: a call for every packet, as soon as it comes.
//
//   A        10          20   | closed
//   B             15          | bound 16
//
//   calls    10: A        nobody waits for B, which shows an empty packet at
//            15: B        the time up to which it is settled
//            20: A
//            Max:         A has ended, B has not: IsDone() of A says so
//   B closes, then Close
//
// Of several packets that wait the earliest goes first, and those with the same
// timestamp go together. So input timestamps rise on each stream, but may
// repeat or fall from one call to the next when there are several streams.
//
// A stream that ends while another is still open gives a call at
// Timestamp::Max() without a packet of it; if all have ended, Close follows at
// once. With process_timestamp_bounds each stream that ends gives such a call,
// the last one too, and each time up to which a stream is newly settled gives a
// call. A stream that was taken at Max() has had its last call.
//
// Thread rule: as InputPolicy.
// Tested by immediate_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_IMMEDIATE_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_IMMEDIATE_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeImmediatePolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_IMMEDIATE_POLICY_H_
