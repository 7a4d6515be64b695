// Calls packet generators before the run, for legacy status handlers: they see
// what generators made, and what went wrong, before any node is opened.
//
// A graph without status handlers needs none of that: its generators are called
// by their nodes, beside each other on the graph's executors.
//
// Thread rule: free functions, used by one thread.
// Tested by generate_side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_GENERATE_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_PLAN_GENERATE_SIDE_PACKETS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// Calls each generator whose side packets are in `side_packets`, or come from
// such a generator, and gives the packets to `services`, where their nodes find
// them. Returns the generated packets by name. Those that calculators feed are
// left to the run. The first error ends it.
absl::StatusOr<std::map<std::string, Packet>> GenerateSidePackets(
    const GraphPlan& plan, const std::map<std::string, Packet>& side_packets,
    GraphServiceManager* services);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_GENERATE_SIDE_PACKETS_H_
