#include "testing/print_value.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_proto.h"
#include "google/protobuf/message_lite.h"

namespace syncline {
namespace {

template <typename T>
bool PrintAs(const Packet& packet, std::string* text) {
  if (!packet.ValidateAsType<T>().ok()) return false;
  *text = absl::StrCat(packet.Get<T>());
  return true;
}

}  // namespace

absl::StatusOr<std::string> PrintValue(const Packet& packet) {
  std::string text;
  if (PrintAs<int>(packet, &text) || PrintAs<std::int64_t>(packet, &text) ||
      PrintAs<std::uint64_t>(packet, &text) || PrintAs<bool>(packet, &text) ||
      PrintAs<float>(packet, &text) || PrintAs<double>(packet, &text) ||
      PrintAs<std::string>(packet, &text)) {
    return text;
  }
  if (packet.ValidateAsProtoMessageLite().ok()) {
    return packet.GetProtoMessageLite().SerializeAsString();
  }
  return absl::UnimplementedError(absl::StrCat(
      "Packets of type ", packet.DebugTypeName(),
      " cannot be compared: give the option `print` a function that makes "
      "text of them."));
}

}  // namespace syncline
