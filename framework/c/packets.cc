// The functions of syncline.h for packets.

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/c/call.h"
#include "framework/c/packet_object.h"
#include "framework/c/syncline.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"

using syncline::Call;
using syncline::NotNull;
using syncline::Packet;

extern "C" {

syncline_code syncline_packet_create(const char* type, const void* bytes,
                                     size_t size, int64_t timestamp,
                                     syncline_packet* packet) {
  if (packet != nullptr) *packet = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(packet, "packet"));
    SYNCLINE_RETURN_IF_ERROR(NotNull(type, "type"));
    SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view value,
                              syncline::BytesOf(bytes, size));
    SYNCLINE_ASSIGN_OR_RETURN(const syncline::Timestamp at,
                              syncline::TimestampOf(timestamp));
    SYNCLINE_ASSIGN_OR_RETURN(const Packet made,
                              syncline::PacketFromBytes(type, value));
    *packet = syncline::NewPacket(made.At(at));
    return absl::OkStatus();
  });
}

syncline_code syncline_packet_copy(syncline_packet packet,
                                   syncline_packet* copy) {
  if (copy != nullptr) *copy = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(copy, "copy"));
    SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                              syncline::Packets().Get(packet));
    *copy = syncline::Packets().Add(object);
    return absl::OkStatus();
  });
}

syncline_code syncline_packet_free(syncline_packet packet) {
  if (packet == nullptr) return SYNCLINE_OK;
  return Call([&] { return syncline::Packets().Remove(packet).status(); });
}

syncline_code syncline_packet_timestamp(syncline_packet packet,
                                        int64_t* timestamp) {
  if (timestamp != nullptr) *timestamp = 0;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(timestamp, "timestamp"));
    SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                              syncline::Packets().Get(packet));
    *timestamp = object->packet.Timestamp().Value();
    return absl::OkStatus();
  });
}

syncline_code syncline_packet_type(syncline_packet packet, const char** type) {
  if (type != nullptr) *type = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(type, "type"));
    SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                              syncline::Packets().Get(packet));
    *type = object->type.c_str();
    return absl::OkStatus();
  });
}

syncline_code syncline_packet_bytes(syncline_packet packet, const void** bytes,
                                    size_t* size) {
  if (bytes != nullptr) *bytes = nullptr;
  if (size != nullptr) *size = 0;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(bytes, "bytes"));
    SYNCLINE_RETURN_IF_ERROR(NotNull(size, "size"));
    SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                              syncline::Packets().Get(packet));
    SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view value, object->Bytes());
    *bytes = value.data();
    *size = value.size();
    return absl::OkStatus();
  });
}

}  // extern "C"
