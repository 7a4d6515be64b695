// EarlyCloseInputStreamHandler: as Default, but the first stream that ends is
// the end.
//
//   A        10  20   | closed
//   B        10       | bound 11
//
//   calls    10: A B
//            20 waits for B
//   B gets 20
//            20: A B      A has nothing more: Close
//   B's later packets are dropped
//
// A stream ends when it is closed and its last packet is taken. Packets of
// other streams that are settled by then but not yet processed are dropped, so
// how many calls there are may depend on when the end is noticed: the handler
// is not deterministic. process_timestamp_bounds changes nothing here.
//
// Thread rule: as InputPolicy.
// Tested by early_close_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_EARLY_CLOSE_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_EARLY_CLOSE_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeEarlyClosePolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_EARLY_CLOSE_POLICY_H_
