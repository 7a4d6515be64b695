// A list of the proto types that packets of this program carry.
//
// A packet can be made from the name of a proto type and its bytes, if some
// code of the program uses this type as a payload: the program contains the
// functions of a payload for such types only. Each such type is added to the
// list at static initialisation.
//
// Thread rule: every function may run on any thread.
// Tested by packet_proto_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PROTO_PAYLOADS_H_
#define SYNCLINE_FRAMEWORK_PACKET_PROTO_PAYLOADS_H_

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/base/registration.h"

namespace google {
namespace protobuf {
class MessageLite;
}  // namespace protobuf
}  // namespace google

namespace syncline {
namespace packet_internal {

class Payload;

template <typename T>
inline constexpr bool kIsProto =
    std::is_base_of_v<google::protobuf::MessageLite, T>;
template <>
inline constexpr bool kIsProto<void> = false;

struct ProtoPayloadType {
  std::string (*type_name)();
  // A payload with one reference; null when the bytes are not such a message.
  Payload* (*parse)(absl::string_view bytes);
};

// `type` must live as long as the registration.
RegistrationToken RegisterProtoPayload(const ProtoPayloadType* type);

// Null when no payload type has the name. "mediapipe.X" also means
// "syncline.X".
const ProtoPayloadType* FindProtoPayload(absl::string_view type_name);

// The names of all, sorted.
std::vector<std::string> ProtoPayloadNames();

template <typename T, typename... Args>
Payload* MakePayload(Args&&... args);

template <typename T>
Payload* ParseProtoPayload(absl::string_view bytes) {
  if (bytes.size() > std::numeric_limits<int>::max()) return nullptr;
  T message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return nullptr;
  }
  return MakePayload<T>(std::move(message));
}

// Each library notes the types that it uses, so that one can be closed without
// taking the note of another away.
template <typename T>
struct __attribute__((visibility("hidden"))) ProtoPayloadNote {
  inline static constexpr ProtoPayloadType kType = {
      [] { return T().GetTypeName(); }, &ParseProtoPayload<T>};
  inline static const Unregister registration{RegisterProtoPayload(&kType)};
};

// Wherever this is compiled for a T that is a proto, T is noted.
template <typename T>
inline void NoteProtoPayload() {
  if constexpr (kIsProto<T> && !std::is_abstract_v<T> &&
                std::is_default_constructible_v<T> &&
                std::is_move_constructible_v<T>) {
    (void)&ProtoPayloadNote<T>::registration;
  }
}

}  // namespace packet_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PROTO_PAYLOADS_H_
