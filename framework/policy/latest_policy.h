// LatestInputStreamHandler: a main stream, with the newest packet of each
// other.
//
//   main_tag_index: "MAIN"
//
//   MAIN     10        20        30        | bound 31
//   SIDE         12  17              33    | bound 34
//
//   calls    10: MAIN             SIDE has nothing yet
//            20: MAIN SIDE@17     12 matched nothing: 17 is newer
//            30: MAIN SIDE@17     once more
//
// There is one call for each packet of the main stream, at its time T. It waits
// until each side stream's bound is past T, so the newest packet at or before T
// is known, whatever arrived first. That packet keeps its own time, which says
// how old it is, and is shown again until there is a newer one, also when its
// stream has ended.
//
// max_age: a packet that is older than this at T is not shown, then or later.
// requires_all: where a side stream has nothing to show, the packet of the main
// stream is dropped and counted, instead of a call with an empty input.
//
// A packet that was never shown matched nothing, and is counted as that. The
// node closes when the main stream has ended. While it waits, it promises that
// no call comes before the main stream's first packet or bound.
//
// Packets on side streams wait until the main stream has come past them; until
// then one of them may be what it needs.
//
// Thread rule: as InputPolicy.
// Tested by latest_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_LATEST_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_LATEST_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeLatestPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_LATEST_POLICY_H_
