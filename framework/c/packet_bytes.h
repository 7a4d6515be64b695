// Packets as bytes and the name of a type, for the C interface. The table of
// types is in syncline.h.
//
// Thread rule: free functions.
// Tested by packet_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_C_PACKET_BYTES_H_
#define SYNCLINE_FRAMEWORK_C_PACKET_BYTES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"

namespace syncline {

// A packet at no timestamp. NOT_FOUND: no such type. UNIMPLEMENTED: a type
// without bytes. INVALID_ARGUMENT: not the bytes of such a value.
absl::StatusOr<Packet> PacketFromBytes(absl::string_view type,
                                       absl::string_view bytes);

// The same for what a stream carries: its type, or the first of several that
// has bytes.
absl::StatusOr<Packet> PacketFromBytes(const PacketType& type,
                                       absl::string_view bytes);

// What the packet's type is called in the other direction; "" for an empty
// packet.
std::string TypeNameOfPacket(const Packet& packet);

// UNIMPLEMENTED: a type without bytes. An empty packet has none.
absl::StatusOr<std::string> BytesOfPacket(const Packet& packet);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_C_PACKET_BYTES_H_
