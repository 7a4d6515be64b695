// Packets as bytes and the name of a type, for the C interface and for
// recordings.
//
//   bool                          one byte, 0 or 1
//   numbers                       as they are in memory, lowest byte first
//   a string                      its bytes
//   times                         of a Timestamp its number; of absl::Time and
//                                 absl::Duration seconds and quarters of a
//                                 nanosecond, eight bytes each
//   pairs, arrays and vectors     one number after the other
//   of numbers
//   a vector of bool              one byte each
//   vectors of strings, vectors   each with its length, a varint, in front
//   of vectors
//   a map of strings              each key and its value, in the same way
//   Protobuf messages             as Protobuf has it
//   types that SYNCLINE_REGISTER_TYPE names with functions for it (images,
//   matrices, tensors, vectors of these and of messages): what these say
//
// Thread rule: free functions.
// Tested by packet_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_BYTES_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_BYTES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/type_id.h"
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

// UNIMPLEMENTED names a type that has no bytes, and says how to give it some. A
// message type of which this program makes no packet is not found here, though
// packets of the type have bytes.
absl::Status CheckHasBytes(TypeId type);

// UNIMPLEMENTED: a type without bytes. An empty packet has none. Equal messages
// have equal bytes, those with maps as well.
absl::StatusOr<std::string> BytesOfPacket(const Packet& packet);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_BYTES_H_
