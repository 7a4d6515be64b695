#include "testing/print_value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
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

// Equal for equal values, also in another process.
std::string BytesText(const Packet& packet, const std::string& bytes) {
  constexpr std::size_t kShown = 16;
  std::string text =
      absl::StrCat(packet.DebugTypeName(), " of ", bytes.size(), " bytes ",
                   absl::BytesToHexString(bytes.substr(0, kShown)));
  if (bytes.size() > kShown) {
    absl::StrAppend(&text, "... with hash ",
                    absl::Hex(std::hash<std::string>()(bytes)));
  }
  return text;
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
  const absl::StatusOr<std::string> bytes = BytesOfPacket(packet);
  if (bytes.ok() && !packet.IsEmpty()) return BytesText(packet, *bytes);
  if (!bytes.ok() && !absl::IsUnimplemented(bytes.status())) {
    return bytes.status();
  }
  return absl::UnimplementedError(absl::StrCat(
      "Packets of type ", packet.DebugTypeName(),
      " cannot be compared: give the option `print` a function that makes "
      "text of them."));
}

}  // namespace syncline
