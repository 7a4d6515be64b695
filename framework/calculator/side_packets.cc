// See the header.
#include "framework/calculator/side_packets.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/port_layout.h"

namespace syncline {

void OutputSidePacket::Bind(const std::string* name, const std::string* node,
                            const PacketType* type, CallErrors* errors) {
  name_ = name;
  node_ = node;
  type_ = type;
  errors_ = errors;
}

void OutputSidePacket::Set(const Packet& packet) {
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
  std::string reason;
  if (IsSet()) {
    code = absl::StatusCode::kAlreadyExists;
    reason = "was already set.";
  } else if (packet.IsEmpty()) {
    reason = "was set to an empty packet; give it a value.";
  } else if (packet.Timestamp() != Timestamp::Unset()) {
    reason = absl::StrCat("has a timestamp ", packet.Timestamp().DebugString(),
                          ". A side packet has none: take it off with "
                          "At(Timestamp::Unset()).");
  } else if (type_ != nullptr) {
    const absl::Status status = type_->Validate(packet);
    if (!status.ok()) reason = std::string(status.message());
  }
  if (reason.empty()) {
    packet_ = packet;
  } else if (errors_ != nullptr) {
    errors_->Add(
        absl::Status(code, absl::StrCat("Output side packet \"", *name_,
                                        "\" of node ", *node_, " ", reason)));
  }
}

absl::StatusOr<std::unique_ptr<PacketSet>> PresentSidePackets(
    const PacketTypeSet& types, const PacketSet& packets) {
  absl::Status status = ValidatePacketSet(types, packets);
  if (!status.ok()) return status;
  PortLayout::TagAndNameInfo present;
  for (CollectionItemId id = packets.BeginId(); id < packets.EndId(); ++id) {
    if (packets.Get(id).IsEmpty()) continue;
    present.tags.push_back(packets.TagAndIndexFromId(id).first);
    present.names.push_back(packets.layout().Names()[id.value()]);
  }
  absl::StatusOr<std::shared_ptr<const PortLayout>> layout =
      PortLayout::Create(present);
  if (!layout.ok()) return layout.status();
  auto set = std::make_unique<PacketSet>(*std::move(layout));
  CollectionItemId to = set->BeginId();
  for (const Packet& packet : packets) {
    if (!packet.IsEmpty()) set->Get(to++) = packet;
  }
  return set;
}

}  // namespace syncline
