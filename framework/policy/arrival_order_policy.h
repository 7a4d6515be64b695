// ArrivalOrderInputStreamHandler: one packet a call, in the order of arrival.
//
//   comes    A=10, then B=5, then A=11, while the node is busy
//
//   calls    10: A        ImmediateInputStreamHandler would begin with 5
//             5: B
//            11: A
//   A and B close, then Close
//
// Streams of which nobody knows how their times compare, each in its own order.
// Where one thing comes first depends on threads, so calls do, too.
//
// With process_timestamp_bounds there is also a call, without packets, at each
// time up to which all streams are newly settled, when no packet waits.
//
// Thread rule: as InputPolicy.
// Tested by arrival_order_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_ARRIVAL_ORDER_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_ARRIVAL_ORDER_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeArrivalOrderPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_ARRIVAL_ORDER_POLICY_H_
