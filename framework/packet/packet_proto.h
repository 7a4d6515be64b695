// Packets of protos whose type is known only when the program runs.
//
// Thread rule: free functions.
// Tested by packet_proto_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_PROTO_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_PROTO_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace packet_internal {

// A packet of the proto type "package.Name", read from `bytes`. The type must
// be one that some code of the program uses as a payload; "mediapipe.X" also
// means "syncline.X". NOT_FOUND names the nearest types, INVALID_ARGUMENT is
// for bytes that are not such a message.
absl::StatusOr<Packet> PacketFromDynamicProto(absl::string_view type_name,
                                              absl::string_view bytes);

}  // namespace packet_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_PROTO_H_
