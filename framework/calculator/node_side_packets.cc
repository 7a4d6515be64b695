#include "framework/calculator/node_side_packets.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "framework/base/status_text.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/timestamp.h"

namespace syncline {

NodeOutputSidePacket::NodeOutputSidePacket(std::string name,
                                           std::string node_text,
                                           const PacketType* type)
    : name_(std::move(name)), node_text_(std::move(node_text)), type_(type) {}

void NodeOutputSidePacket::Set(const Packet& packet) {
  MutexLock lock(&mutex_);
  const absl::Status status = Check(packet);
  if (status.ok()) {
    packet_ = packet;
    is_newly_set_ = true;
  } else if (error_.ok()) {
    error_ = status;
  }
}

absl::Status NodeOutputSidePacket::Check(const Packet& packet) const {
  const std::string what =
      absl::StrCat("Output side packet \"", name_, "\" of node ", node_text_);
  if (!packet_.IsEmpty()) {
    return absl::AlreadyExistsError(
        absl::StrCat(what, " was already set. It can be set once in a run."));
  }
  if (packet.IsEmpty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " was set to an empty packet."));
  }
  if (packet.Timestamp() != Timestamp::Unset()) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, " has a timestamp ", packet.Timestamp().DebugString(),
        ". Side packets have none."));
  }
  return PrefixStatus(absl::StrCat(what, " was set to another type: "),
                      type_->Validate(packet));
}

Packet NodeOutputSidePacket::packet() const {
  MutexLock lock(&mutex_);
  return packet_;
}

absl::optional<Packet> NodeOutputSidePacket::TakeNewlySet() {
  MutexLock lock(&mutex_);
  if (!std::exchange(is_newly_set_, false)) return absl::nullopt;
  return packet_;
}

absl::Status NodeOutputSidePacket::TakeError() {
  MutexLock lock(&mutex_);
  return std::exchange(error_, absl::OkStatus());
}

void NodeOutputSidePacket::Reset() {
  Packet old;  // dies without the lock: its value may run any code
  MutexLock lock(&mutex_);
  old.swap(packet_);
  is_newly_set_ = false;
  error_ = absl::OkStatus();
}

absl::StatusOr<PacketSet> FillInputSidePackets(
    const PacketTypeSet& types,
    absl::FunctionRef<Packet(const std::string& name)> find) {
  const PortLayout& layout = types.layout();
  if (layout.NumEntries() == 0) return PacketSet();
  std::vector<Packet> found;
  std::vector<bool> is_there;
  std::vector<std::string> errors;
  for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
    const std::string& name = layout.Names()[id.value()];
    const PacketType& type = types.Get(id);
    found.push_back(find(name));
    is_there.push_back(!found.back().IsEmpty());
    if (found.back().IsEmpty()) {
      if (!type.IsOptional()) {
        errors.push_back(absl::StrCat("Side packet \"", name,
                                      "\" is required but was not provided."));
      }
      continue;
    }
    const absl::Status status = type.Validate(found.back());
    if (!status.ok()) {
      errors.push_back(absl::StrCat("Side packet \"", name,
                                    "\": ", std::string(status.message())));
    }
  }
  if (!errors.empty()) {
    return absl::InvalidArgumentError(absl::StrJoin(errors, "\n"));
  }
  PacketSet packets(PortLayout::WithoutMissing(types.TagMap(), is_there));
  for (CollectionItemId id = packets.BeginId(); id < packets.EndId(); ++id) {
    const auto [tag, index] = packets.TagAndIndexFromId(id);
    packets.Get(id) = std::move(found[layout.GetId(tag, index).value()]);
  }
  return packets;
}

}  // namespace syncline
