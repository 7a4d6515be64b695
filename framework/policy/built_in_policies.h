// The input policies of the framework that nothing but their registration in
// input_policy_registry.cc has to know. A timeline at the top of each .cc file
// explains the policy.
//
// Thread rule: free functions.
// Tested by the test of each policy, and by policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_BUILT_IN_POLICIES_H_
#define SYNCLINE_FRAMEWORK_POLICY_BUILT_IN_POLICIES_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeApproximateTimePolicy(
    const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeArrivalOrderPolicy(const PolicyPorts& ports);
// The queues must ignore time.
std::unique_ptr<InputPolicy> MakeBarrierPolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeEarlyClosePolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeFixedSizePolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeImmediatePolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeLatestPolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeMuxPolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeSyncSetsPolicy(const PolicyPorts& ports);
std::unique_ptr<InputPolicy> MakeTimestampAlignPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_BUILT_IN_POLICIES_H_
