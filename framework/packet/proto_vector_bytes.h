// The bytes of a vector of Protobuf messages: each message with its length in
// front, as a varint (the "delimited" form of Protobuf's own libraries).
//
//   using Detections = std::vector<Detection>;
//   SYNCLINE_REGISTER_TYPE(Detections, "::std::vector<::syncline::Detection>",
//                          ProtoVectorWriter<Detections>(),
//                          ProtoVectorReader<Detections>());
//
// Thread rule: pure functions.
// Tested by packet_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PROTO_VECTOR_BYTES_H_
#define SYNCLINE_FRAMEWORK_PACKET_PROTO_VECTOR_BYTES_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"
#include "framework/packet/payload.h"
#include "framework/packet/proto_payloads.h"
#include "framework/packet/value_bytes.h"

namespace syncline {
namespace packet_internal {

// Equal messages have equal bytes, those with maps as well. INTERNAL if the
// message is too large.
absl::StatusOr<std::string> BytesOfMessage(
    const google::protobuf::MessageLite& message);
// Reads one message with its length in front, and moves `bytes` behind it.
absl::Status ReadDelimited(absl::string_view* bytes,
                           google::protobuf::MessageLite* message);

template <typename T>
inline constexpr bool kIsProtoVector =
    kIsProto<typename ElementOfVector<T>::type>;

}  // namespace packet_internal

using PacketToBytes = absl::Status (*)(const Packet& packet,
                                       std::string* bytes);
using BytesToPacket = absl::Status (*)(const std::string& bytes,
                                       Packet* packet);

// What SYNCLINE_REGISTER_TYPE takes; null when T is no vector of messages.
template <typename T>
constexpr PacketToBytes ProtoVectorWriter() {
  if constexpr (packet_internal::kIsProtoVector<T>) {
    return [](const Packet& packet, std::string* bytes) {
      for (const auto& message : packet.Get<T>()) {
        const absl::StatusOr<std::string> piece =
            packet_internal::BytesOfMessage(message);
        if (!piece.ok()) return piece.status();
        packet_internal::AppendPiece(*piece, bytes);
      }
      return absl::OkStatus();
    };
  } else {
    return nullptr;
  }
}

template <typename T>
constexpr BytesToPacket ProtoVectorReader() {
  if constexpr (packet_internal::kIsProtoVector<T>) {
    return [](const std::string& bytes, Packet* packet) {
      T messages;
      absl::string_view left = bytes;
      while (!left.empty()) {
        const absl::Status status =
            packet_internal::ReadDelimited(&left, &messages.emplace_back());
        if (!status.ok()) return status;
      }
      *packet = MakePacket<T>(std::move(messages));
      return absl::OkStatus();
    };
  } else {
    return nullptr;
  }
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PROTO_VECTOR_BYTES_H_
