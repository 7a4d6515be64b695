// The packets behind the handles of the C interface.
//
// Thread rule: every function may run on any thread.
// Tested by c_interface_test.

#ifndef SYNCLINE_FRAMEWORK_C_PACKET_OBJECT_H_
#define SYNCLINE_FRAMEWORK_C_PACKET_OBJECT_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/c/handles.h"
#include "framework/c/syncline.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"

namespace syncline {

struct PacketObject {
  explicit PacketObject(Packet value)
      : packet(std::move(value)), type(TypeNameOfPacket(packet)) {}

  // The bytes of the value. They are valid as long as this object exists.
  absl::StatusOr<absl::string_view> Bytes();

  const Packet packet;
  const std::string type;
  std::once_flag made_bytes;
  absl::StatusOr<std::string> bytes;
};

Handles<PacketObject, syncline_packet>& Packets();

// A new handle, which the caller has to free.
syncline_packet NewPacket(Packet packet);

// The timestamp of a packet. INVALID_ARGUMENT if no packet may have it.
absl::StatusOr<Timestamp> TimestampOf(std::int64_t value);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_C_PACKET_OBJECT_H_
