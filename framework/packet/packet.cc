#include "framework/packet/packet.h"

#include <atomic>

#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/packet/type_map.h"
#include "google/protobuf/message_lite.h"

namespace syncline {

// Whom Consume() asks where others share the value: packet_looks.cc, in
// programs that look at packets. It has no header, which all that use packets
// would have to be compiled with.
namespace packet_internal {
std::atomic<void (*)(const Packet& packet)> make_sole{nullptr};
}  // namespace packet_internal

absl::Status Packet::WrongTypeError(TypeId wanted) const {
  if (IsEmpty()) {
    return absl::InternalError(absl::StrCat(
        "Expected a Packet of type \"", SynclineTypeStringOrDemangled(wanted),
        "\", but received an empty Packet."));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("The Packet stores \"", DebugTypeName(), "\", but \"",
                   SynclineTypeStringOrDemangled(wanted), "\" was requested."));
}

void Packet::ReportWrongGet(TypeId wanted) const {
  const absl::Status error = WrongTypeError(wanted);
  ReportMisuse(absl::Status(
      error.code(),
      absl::StrCat("Packet::Get() at timestamp ", timestamp_.DebugString(),
                   ": ", error.message())));
}

absl::Status Packet::ValidateCanConsume() const {
  if (payload_->ops().storage == packet_internal::Storage::kForeign) {
    return absl::FailedPreconditionError(
        absl::StrCat("The value of the ", DebugString(),
                     " cannot be consumed: the packet does not own it "
                     "(PointToForeign)."));
  }
  if (!payload_->HasOneReference()) {
    const auto make_sole = packet_internal::make_sole.load();
    if (make_sole != nullptr) make_sole(*this);
  }
  if (!payload_->HasOneReference()) {
    return absl::FailedPreconditionError(
        absl::StrCat("The value of the ", DebugString(),
                     " cannot be consumed: other packets share it."));
  }
  return absl::OkStatus();
}

absl::Status Packet::ValidateAsProtoMessageLite() const {
  if (IsEmpty()) {
    return absl::InternalError(
        "Expected a Packet of a proto message, but received an empty Packet.");
  }
  if (payload_->ops().as_proto == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The Packet stores \"", DebugTypeName(),
                     "\", but a proto message was requested."));
  }
  return absl::OkStatus();
}

const google::protobuf::MessageLite& Packet::GetProtoMessageLite() const {
  absl::Status status = ValidateAsProtoMessageLite();
  if (!status.ok()) {
    ReportMisuse(absl::Status(
        status.code(),
        absl::StrCat("Packet::GetProtoMessageLite() at timestamp ",
                     timestamp_.DebugString(), ": ", status.message())));
  }
  return *payload_->ops().as_proto(payload_->value());
}

absl::StatusOr<std::vector<const google::protobuf::MessageLite*>>
Packet::GetVectorOfProtoMessageLitePtrs() const {
  if (IsEmpty()) {
    return absl::InternalError(
        "Expected a Packet of a vector of proto messages, but received an "
        "empty Packet.");
  }
  if (payload_->ops().append_protos == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The Packet stores \"", DebugTypeName(),
                     "\", but a vector of proto messages was requested."));
  }
  std::vector<const google::protobuf::MessageLite*> protos;
  payload_->ops().append_protos(payload_->value(), &protos);
  return protos;
}

TypeId Packet::GetTypeId() const {
  if (IsEmpty()) {
    ReportMisuse(absl::InternalError(
        absl::StrCat("Packet::GetTypeId() of an empty packet at timestamp ",
                     timestamp_.DebugString(), ": it has no type.")));
  }
  return payload_->ops().type;
}

std::string Packet::DebugString() const {
  const std::string start = absl::StrCat(
      "syncline::Packet with timestamp: ", timestamp_.DebugString(), " and ");
  return IsEmpty() ? absl::StrCat(start, "no data")
                   : absl::StrCat(start, "type: ", DebugTypeName());
}

std::string Packet::DebugTypeName() const {
  if (IsEmpty()) return "{empty}";
  return SynclineTypeStringOrDemangled(payload_->ops().type);
}

std::string Packet::RegisteredTypeName() const {
  if (IsEmpty()) return "";
  return RegisteredNameOfType(payload_->ops().type);
}

namespace packet_internal {

void ReportNullPayload(const char* function, TypeId type) {
  ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
      function, "() of a null pointer to \"", type.name(),
      "\": a packet needs a value. An empty packet is Packet().")));
}

}  // namespace packet_internal
}  // namespace syncline
