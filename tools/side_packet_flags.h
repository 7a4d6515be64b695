// Side packets from a command line: --input_side_packets=NAME=VALUE,...
//
// Thread rule: a free function.
// Tested by side_packet_flags_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_SIDE_PACKET_FLAGS_H_
#define SYNCLINE_TOOLS_SIDE_PACKET_FLAGS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// Each of `given` is NAME=VALUE, read as the type that the graph asks for.
// Those that are not given are taken from `recorded`, which may have others.
// INVALID_ARGUMENT: not of that form, no such side packet, given twice, or no
// value of the type. FAILED_PRECONDITION: one that the graph needs is missing.
absl::StatusOr<std::map<std::string, Packet>> ReadSidePackets(
    const GraphPlan& plan, absl::Span<const std::string> given,
    const std::map<std::string, Packet>& recorded = {});

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_SIDE_PACKET_FLAGS_H_
