#include "framework/packet/packet_bytes.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_proto.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/proto_vector_bytes.h"
#include "framework/packet/type_map.h"
#include "google/protobuf/message_lite.h"

namespace syncline {
namespace {

// The type under its name in SYNCLINE_REGISTER_TYPE, which may have "::" in
// front.
const SynclineTypeData* FindRegistered(absl::string_view type) {
  const absl::string_view plain = absl::StripPrefix(type, "::");
  for (const std::string& name :
       {std::string(type), std::string(plain), absl::StrCat("::", plain)}) {
    if (const auto* data = PacketTypeStringToSynclineTypeData::GetValue(name)) {
      return data;
    }
  }
  return nullptr;
}

// "::a::b::Message" -> "a.b.Message".
std::string MessageName(absl::string_view type) {
  return absl::StrReplaceAll(absl::StripPrefix(type, "::"), {{"::", "."}});
}

absl::Status HasNoBytes(absl::string_view type) {
  return absl::UnimplementedError(absl::StrCat(
      "values of type \"", type,
      "\" have no bytes: numbers, strings, vectors of numbers and messages do, "
      "and types that SYNCLINE_REGISTER_TYPE names with functions for it. Let "
      "a calculator of the graph turn it into one of those"));
}

// Whether packets of this program carry the message. A message inside of
// another one, a.Outer.Inner, is a::Outer_Inner in C++.
bool IsMessage(std::string name) {
  while (true) {
    // Bytes of no length are a message of any type, but for required fields.
    const absl::StatusOr<Packet> message =
        packet_internal::PacketFromDynamicProto(name, "");
    if (!absl::IsNotFound(message.status())) return true;
    const std::size_t inner = name.rfind('_');
    if (inner == name.npos) return false;
    name[inner] = '.';
  }
}

absl::StatusOr<Packet> ReadRegistered(const SynclineTypeData& data,
                                      absl::string_view bytes) {
  if (data.deserialize_fn != nullptr) {
    Packet packet;
    SYNCLINE_RETURN_IF_ERROR(CallUserCode(
        [&] { return data.deserialize_fn(std::string(bytes), &packet); }));
    return packet;
  }
  return HasNoBytes(data.type_string);
}

}  // namespace

absl::StatusOr<Packet> PacketFromBytes(absl::string_view type,
                                       absl::string_view bytes) {
  const SynclineTypeData* const data = FindRegistered(type);
  if (data != nullptr) {
    absl::StatusOr<Packet> packet = ReadRegistered(*data, bytes);
    // A message may have a name there, too.
    if (!absl::IsUnimplemented(packet.status())) return packet;
  }
  absl::StatusOr<Packet> message =
      packet_internal::PacketFromDynamicProto(MessageName(type), bytes);
  if (!absl::IsNotFound(message.status())) return message;
  if (data != nullptr) return HasNoBytes(type);
  return absl::NotFoundError(absl::StrCat("there is no type \"", type, "\". ",
                                          message.status().message()));
}

absl::StatusOr<Packet> PacketFromBytes(const PacketType& type,
                                       absl::string_view bytes) {
  for (const TypeId candidate : type.Types()) {
    absl::StatusOr<Packet> packet =
        PacketFromBytes(SynclineTypeStringOrDemangled(candidate), bytes);
    if (!absl::IsUnimplemented(packet.status()) &&
        !absl::IsNotFound(packet.status())) {
      return packet;
    }
  }
  if (type.Types().empty()) {
    return absl::InvalidArgumentError(
        "the graph takes values of any type here: name one");
  }
  return HasNoBytes(type.DebugTypeName());
}

std::string TypeNameOfPacket(const Packet& packet) {
  if (packet.IsEmpty()) return "";
  if (packet.RegisteredTypeName().empty() &&
      packet.ValidateAsProtoMessageLite().ok()) {
    return packet.GetProtoMessageLite().GetTypeName();
  }
  return packet.DebugTypeName();
}

absl::Status CheckHasBytes(TypeId type) {
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(type);
  if (data != nullptr && data->serialize_fn != nullptr) return absl::OkStatus();
  if (IsMessage(MessageName(type.name()))) return absl::OkStatus();
  return HasNoBytes(SynclineTypeStringOrDemangled(type));
}

absl::StatusOr<std::string> BytesOfPacket(const Packet& packet) {
  if (packet.IsEmpty()) return std::string();
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(packet.GetTypeId());
  if (data != nullptr && data->serialize_fn != nullptr) {
    std::string bytes;
    SYNCLINE_RETURN_IF_ERROR(
        CallUserCode([&] { return data->serialize_fn(packet, &bytes); }));
    return bytes;
  }
  if (packet.ValidateAsProtoMessageLite().ok()) {
    return packet_internal::BytesOfMessage(packet.GetProtoMessageLite());
  }
  return HasNoBytes(packet.DebugTypeName());
}

}  // namespace syncline
