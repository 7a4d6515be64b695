#include "framework/packet/packet_proto.h"

#include "absl/strings/str_cat.h"
#include "framework/base/nearest_names.h"
#include "framework/packet/proto_payloads.h"

namespace syncline {
namespace packet_internal {

absl::StatusOr<Packet> PacketFromDynamicProto(absl::string_view type_name,
                                              absl::string_view bytes) {
  const ProtoPayloadType* const type = FindProtoPayload(type_name);
  if (type == nullptr) {
    constexpr int kSuggestions = 3;
    return absl::NotFoundError(
        absl::StrCat("No code of this program uses the proto type \"",
                     type_name, "\" as the value of a packet.",
                     DidYouMeanText(NearestNames(type_name, ProtoPayloadNames(),
                                                 kSuggestions))));
  }
  Payload* const payload = type->parse(bytes);
  if (payload == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The ", bytes.size(),
                     " bytes are not a message of type \"", type_name, "\"."));
  }
  return PacketOfPayload(payload);
}

}  // namespace packet_internal
}  // namespace syncline
