// Whether the side packets that the application gives fit a graph: all that
// nodes need are there, all are of the right types, and no node makes one of
// them as well.
//
// Tested by check_side_packets_test.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/contract.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// The readers in words, such as: of node "a" (A) and 2 more. There is at least
// one: the side packet is required.
std::string Readers(const PlanTables& tables,
                    const PlanSidePacket& side_packet) {
  const PlanNode& first = tables.nodes[side_packet.consumers[0].node];
  std::string text = absl::StrCat(" It is read by ", NodeLabel(first.config()));
  const size_t more = side_packet.consumers.size() - 1;
  if (more > 0) absl::StrAppend(&text, " and ", more, " more");
  return absl::StrCat(text, ".");
}

absl::Status CheckGiven(const PlanTables& tables,
                        const PlanSidePacket& side_packet,
                        const Packet& packet) {
  if (side_packet.producer.node >= 0) {
    const PlanNode& producer = tables.nodes[side_packet.producer.node];
    return absl::InvalidArgumentError(
        absl::StrCat("Side packet ", Quoted(side_packet.name),
                     " is given by the application, but made by ",
                     NodeLabel(producer.config()), " as well."));
  }
  for (const PortRef& reader : side_packet.consumers) {
    const PlanNode& node = tables.nodes[reader.node];
    SYNCLINE_RETURN_IF_ERROR(
        node.contract->InputSidePackets().Get(reader.port).Validate(packet))
            .SetPrepend()
        << "Side packet " << Quoted(side_packet.name) << " of "
        << NodeLabel(node.config()) << ": ";
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status GraphPlan::CheckSidePackets(
    const std::map<std::string, Packet>& side_packets, bool complete) const {
  std::vector<absl::Status> errors;
  for (const auto& [name, packet] : side_packets) {
    const int id = FindSidePacket(name);
    if (id < 0) continue;  // nobody reads it, which is no mistake
    errors.push_back(CheckGiven(*tables_, tables_->side_packets[id], packet));
  }
  if (complete) {
    for (const PlanSidePacket& side_packet : tables_->side_packets) {
      if (!side_packet.required || side_packets.contains(side_packet.name)) {
        continue;
      }
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("Side packet ", Quoted(side_packet.name),
                       " is required but was not provided.",
                       Readers(*tables_, side_packet))));
    }
  }
  return CombineStatuses("The side packets do not fit the graph.", errors);
}

}  // namespace syncline
