// BarrierInputStreamHandler: one packet of each stream, whatever their times.
//
//   A        10  20  30
//   B        7       8
//
//   calls     7: A at 10, B at 7       the first of each
//             8: A at 20, B at 8       the second of each
//   B closes, then Close; A's 30 is dropped
//
// The input timestamp is the lowest of the packets'. Time is ignored on all
// inputs: nothing is ever late, and a stream ends when it is closed. No bound
// and no packet ends it: where times may go back, something may follow Max and
// PreStream.
//
// Thread rule: as InputPolicy.
// Tested by barrier_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_BARRIER_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_BARRIER_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

// The queues must ignore time.
std::unique_ptr<InputPolicy> MakeBarrierPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_BARRIER_POLICY_H_
