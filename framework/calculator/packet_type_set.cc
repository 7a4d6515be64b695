#include "framework/calculator/packet_type_set.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/nearest_names.h"
#include "framework/calculator/packet_set.h"
#include "framework/packet/packet_type.h"

namespace syncline {

PacketType& MissingPorts::GetFallback(const PortLayout& layout,
                                      absl::string_view tag, int index) {
  if (types_ == nullptr) types_ = std::make_unique<std::vector<StandIn>>();
  const std::pair<std::string, int> port(tag, index);
  const auto at = std::ranges::lower_bound(*types_, port, {}, &StandIn::port);
  if (at != types_->end() && at->port == port) return *at->type;
  return *types_->insert(at, {port, std::make_unique<PacketType>()})->type;
}

absl::Span<const MissingPorts::StandIn> MissingPorts::all() const {
  if (types_ == nullptr) return {};
  return *types_;
}

std::vector<std::pair<std::string, int>> MissingPorts::Required() const {
  std::vector<std::pair<std::string, int>> required;
  for (const auto& [port, type] : all()) {
    if (!type->IsOptional()) required.push_back(port);
  }
  return required;
}

absl::Status ValidatePacketTypeSet(const PacketTypeSet& types) {
  if (types.Missing().all().empty() &&
      std::ranges::all_of(types, &PacketType::IsInitialized)) {
    return absl::OkStatus();
  }
  std::vector<std::string> errors;
  const TagSet tags = types.GetTags();
  for (const auto& [tag, index] : types.Missing().Required()) {
    std::string error =
        absl::StrCat("Failed to get tag \"", tag, "\" index ", index,
                     ": the calculator needs it and the node does not have it");
    if (!types.HasTag(tag) && !tag.empty()) {
      const std::vector<std::string> near = NearestNames(
          tag, std::vector<std::string>(tags.begin(), tags.end()), 1);
      if (!near.empty() && !near[0].empty()) {
        absl::StrAppend(&error, "; the node has \"", near[0], "\"");
      }
    }
    errors.push_back(std::move(error));
  }
  for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
    if (types.Get(id).IsInitialized()) continue;
    const auto [tag, index] = types.TagAndIndexFromId(id);
    errors.push_back(absl::StrCat(
        "Tag \"", tag, "\" index ", index,
        " was not expected. The node has it and the calculator does not "
        "know it"));
  }
  if (errors.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(errors, "\n"));
}

absl::Status ValidatePacketSet(const PacketTypeSet& types,
                               const PacketSet& packets) {
  if (!types.layout().SameAs(packets.layout())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the packets are for the ports ", packets.layout().ShortDebugString(),
        " but the types are for ", types.layout().ShortDebugString()));
  }
  std::vector<std::string> errors;
  for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
    const PacketType& type = types.Get(id);
    const Packet& packet = packets.Get(id);
    if (packet.IsEmpty() && type.IsOptional()) continue;
    const absl::Status status = type.Validate(packet);
    if (status.ok()) continue;
    const auto [tag, index] = types.TagAndIndexFromId(id);
    errors.push_back(absl::StrCat("Tag \"", tag, "\" index ", index, ": ",
                                  std::string(status.message())));
  }
  if (errors.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(errors, "\n"));
}

}  // namespace syncline
