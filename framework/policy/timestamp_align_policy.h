// TimestampAlignInputStreamHandler: joins streams whose clocks differ.
//
//   timestamp_base_tag_index: "A"
//
//   A        10  20      30      the base: its times stay
//   B                5003    5013
//
//   calls    10: A       B has not begun: A goes alone
//            20: A B     B begins: its 5003 meets the first packet that waits
//                        at A, so from now on B's times count less 4983
//            30: A B     5013 is 30
//
// Streams are aligned once, when each has a packet or has ended without one.
// From then on it is DefaultInputStreamHandler on the shifted times, and the
// packets carry them. How many packets of the base go alone depends on which
// stream begins first, and so does the alignment: the handler is deterministic
// only where the others begin before the base does.
//
// A base that ends before the alignment leaves no time for the others: the node
// closes. A time that would be shifted out of the ordinary range stays at its
// end; of several packets that meet there the first is taken, the others are
// dropped and counted.
//
// Special times have no distance to others and are not shifted, with one
// exception: no packet may come before the packet of the base that is met,
// because the node may have passed this bound on while it waited. Earlier
// packets meet that packet of the base:
//
//   A        bound 10       20     PostStream         PreStream
//   B        PreStream             5003  5013         5003  5013
//
//   calls    20: A B               PostStream: A B    PreStream: A
//                                  (5013 is dropped)  5003: B    5013: B
//
// Thread rule: as InputPolicy.
// Tested by timestamp_align_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_TIMESTAMP_ALIGN_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_TIMESTAMP_ALIGN_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeTimestampAlignPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_TIMESTAMP_ALIGN_POLICY_H_
