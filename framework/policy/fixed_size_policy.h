// FixedSizeInputStreamHandler: queues are short, and a node that is too slow
// skips packets.
//
//   trigger_queue_size: 3  target_queue_size: 1
//
//   A   10  20  30       30 makes three: 10 and 20 go, on all streams
//   B   10  20
//                        A   30
//   then B gets 20 ...   B                 too late: it goes as well
//   then B gets 30       30: A B
//
// Otherwise as DefaultInputStreamHandler. Dropping starts when one queue holds
// trigger_queue_size packets, and keeps the target_queue_size newest of it;
// with fixed_min_size when every queue holds that many, so that each keeps at
// least target_queue_size. What is dropped is counted.
//
// Packets are taken when the call starts, not when it becomes ready: packets
// that come in between may push the announced input set out of the queues, and
// the call gets a later one. But it always gets an input set: once a call is
// announced, the newest complete input set is not dropped.
//
// Thread rule: as InputPolicy.
// Tested by fixed_size_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_FIXED_SIZE_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_FIXED_SIZE_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeFixedSizePolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_FIXED_SIZE_POLICY_H_
