#include "tools/side_packet_flags.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "tools/exit_status.h"
#include "tools/packet_lines.h"

namespace syncline {
namespace {

absl::Status AddSidePacket(const GraphPlan& plan, absl::string_view given,
                           std::map<std::string, Packet>* side_packets) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(given, absl::MaxSplits('=', 1));
  const std::string& name = parts.first;
  if (!absl::StrContains(given, '=') || name.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input_side_packets takes NAME=VALUE, not \"",
                     ShownName(given), "\""));
  }
  const int id = plan.FindSidePacket(name);
  if (id < 0) {
    std::vector<std::string> names;
    for (const PlanSidePacket& known : plan.side_packets()) {
      names.push_back(known.name);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "the graph has no side packet \"", ShownName(name), "\".",
        names.empty() ? " It has none." : DidYouMeanOrKnownText(name, names)));
  }
  const absl::StatusOr<Packet> packet =
      ParseValue(*plan.side_packets()[id].type, parts.second);
  if (!packet.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "side packet \"", name, "\": ", packet.status().message()));
  }
  if (side_packets->emplace(name, *packet).second) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("side packet \"", name, "\" is given twice"));
}

}  // namespace

absl::StatusOr<std::map<std::string, Packet>> ReadSidePackets(
    const GraphPlan& plan, absl::Span<const std::string> all_given,
    const std::map<std::string, Packet>& recorded) {
  std::map<std::string, Packet> side_packets;
  for (const std::string& given : all_given) {
    SYNCLINE_RETURN_IF_ERROR(AddSidePacket(plan, given, &side_packets));
  }
  for (const auto& [name, packet] : recorded) {
    if (plan.FindSidePacket(name) >= 0) side_packets.emplace(name, packet);
  }
  for (const PlanSidePacket& known : plan.side_packets()) {
    if (!known.required || side_packets.contains(known.name)) continue;
    const absl::Status is_text = CheckIsText(*known.type);
    return absl::FailedPreconditionError(absl::StrCat(
        "the graph needs side packet \"", known.name, "\" (",
        known.type->DebugTypeName(), "): ",
        is_text.ok() ? absl::StrCat("give it with --input_side_packets=",
                                    known.name, "=VALUE")
                     : std::string(is_text.message())));
  }
  return side_packets;
}

}  // namespace syncline
