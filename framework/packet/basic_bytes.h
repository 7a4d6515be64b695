// The bytes of types that every program has: numbers, strings, times, and what
// the standard library makes of them. packet_bytes.h says what they are.
//
// Thread rule: free functions.
// Tested by packet_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_BASIC_BYTES_H_
#define SYNCLINE_FRAMEWORK_PACKET_BASIC_BYTES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace packet_internal {

struct BasicBytes {
  TypeId type;
  // INVALID_ARGUMENT: not the bytes of such a value.
  absl::StatusOr<Packet> (*read)(absl::string_view bytes);
  std::string (*write)(const Packet& packet);
};

// Null for other types.
const BasicBytes* FindBasicBytes(TypeId type);

}  // namespace packet_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_BASIC_BYTES_H_
