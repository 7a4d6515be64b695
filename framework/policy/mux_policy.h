// MuxInputStreamHandler: a control stream chooses which of the other streams is
// used.
//
//   INPUT:0  10      20  30
//   INPUT:1  10  15  20
//   SELECT   0@10    1@20
//
//   calls    10: SELECT, INPUT:0     the other 10 is dropped
//            20: SELECT, INPUT:1     15 and the other 20 are dropped
//            30 waits for the next choice
//   SELECT closes, then Close
//
// The control stream is the last of the node's inputs in the order of tags, so
// INPUT and SELECT will do; its packets are ints that count the data streams
// from 0. A choice waits until the chosen stream has a packet at its time, or
// is settled there. Data packets that are older than what control can still
// choose are dropped at once and counted, so no stream that is not chosen ever
// fills up.
//
// A choice that there is no stream for ends the run with an error.
//
// Thread rule: as InputPolicy.
// Tested by mux_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_MUX_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_MUX_POLICY_H_

#include <memory>

#include "framework/policy/input_policy.h"

namespace syncline {

std::unique_ptr<InputPolicy> MakeMuxPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_MUX_POLICY_H_
