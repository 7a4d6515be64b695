// ApproximateTimeInputStreamHandler: sets of packets that lie close together,
// one of each stream, for streams that never have the same timestamp.
//
//   camera   0       33       66       100        133
//   lidar       12                         101  |
//
//   sets     0 12    then 100 101: 33 and 66 matched nothing
//
// THE RULE. It is that of the ApproximateTime policy of ROS's message_filters,
// and says what the sets are, whatever the order of arrival:
//
//   1. Each set has one packet of each stream. A packet is in one set at most.
//   2. Sets do not cross: of two sets one is earlier, in every stream.
//   3. The sets are made one after the other. The packets behind the sets so
//      far compete for the next one; the first of them in each stream is its
//      head. A head that is too far before the latest head, so that no set can
//      contain it, is dropped first.
//   4. The latest head is the pivot. The next set contains it. If several heads
//      are at that time, it does not matter which one is the pivot.
//   5. Of all sets with the pivot, of packets behind the sets so far, that with
//      the smallest interval is made: from its earliest to its latest packet.
//      Of several with that interval it is the one that is earliest in each
//      stream.
//   6. What lies before a packet of the set in its stream matched nothing.
//
// Rule 5 is found by a walk: start from the heads; replace the earliest member
// by the packet behind it, until the earliest is the pivot; remember the best.
// It visits, for each time at which a set can begin, the set that ends
// earliest.
//
// LIMITS. `tolerance` is how far a member may be from the pivot, for all
// streams or for each; `max_interval` how far the earliest and the latest may
// be apart. The heads of rule 4 are within both, and so is whatever is closer
// together.
//
// WHEN. A set is made as soon as no packet that may still come could give a
// closer one: bounds tell. What a missing packet could be at best is at its
// stream's bound, or at the pivot if that is later. Intervals up to
// `close_enough` count as equal in rule 5: the walk ends at the first of them,
// and does not wait.
//
// THE TIME of a set is that of its latest packet, or of the packet of
// `timestamp_base_tag_index`; either rises from set to set. Packets keep their
// own times. While the node waits, it promises that no set comes before the
// latest head or bound of any stream, or before that of the base.
//
// THE END. When a stream has ended and has no packet left, no set can come: the
// node closes. PreStream counts as the time just before Min, PostStream as that
// just after Max.
//
// Thread rule: as InputPolicy.
// Tested by approximate_time_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeApproximateTimePolicy(
    const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_POLICY_H_
