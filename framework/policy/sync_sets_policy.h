// SyncSetInputStreamHandler: groups of inputs that do not wait for each other.
//
//   sync_set { tag_index: "A" tag_index: "B" }     C forms a set of its own
//
//   A        10          30
//   B        10                 | bound 21
//   C                20
//
//   calls    10: A B       the set A, B is settled at 10
//            20: C         A and B show empty packets, settled at 20
//            30 waits for B
//
// Of the sets that are ready the one with the lowest time goes first; of equal
// ones that which the options name first. A set that has nothing more is left
// out; when that is true of all, the node closes. Inputs that no set names form
// one more.
//
// Within a set, everything depends on timestamps alone. Which set comes first
// depends on what arrives first: input timestamps of the node may repeat or
// fall, as soon as there are two sets.
//
// Thread rule: as InputPolicy.
// Tested by sync_sets_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_SYNC_SETS_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_SYNC_SETS_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeSyncSetsPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_SYNC_SETS_POLICY_H_
