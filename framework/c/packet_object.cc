#include "framework/c/packet_object.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/no_destructor.h"
#include "framework/base/type_id.h"

namespace syncline {

static_assert(SYNCLINE_TIMESTAMP_UNSET == Timestamp::Unset().Value());
static_assert(SYNCLINE_TIMESTAMP_PRE_STREAM == Timestamp::PreStream().Value());
static_assert(SYNCLINE_TIMESTAMP_MIN == Timestamp::Min().Value());
static_assert(SYNCLINE_TIMESTAMP_MAX == Timestamp::Max().Value());
static_assert(SYNCLINE_TIMESTAMP_POST_STREAM ==
              Timestamp::PostStream().Value());

absl::StatusOr<absl::string_view> PacketObject::Bytes() {
  if (packet.Holds(TypeIdOf<std::string>())) {
    return absl::string_view(packet.Get<std::string>());
  }
  std::call_once(made_bytes, [this] { bytes = BytesOfPacket(packet); });
  if (!bytes.ok()) return bytes.status();
  return absl::string_view(*bytes);
}

Handles<PacketObject, syncline_packet>& Packets() {
  static NoDestructor<Handles<PacketObject, syncline_packet>> packets("packet",
                                                                      1);
  return *packets;
}

syncline_packet NewPacket(Packet packet) {
  return Packets().Add(std::make_shared<PacketObject>(std::move(packet)));
}

absl::StatusOr<Timestamp> TimestampOf(std::int64_t value) {
  const Timestamp timestamp = Timestamp::CreateNoErrorChecking(value);
  if (timestamp == Timestamp::Unset() || timestamp.IsAllowedInStream()) {
    return timestamp;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a packet cannot be at ", timestamp.DebugString(),
      ": SYNCLINE_TIMESTAMP_PRE_STREAM is the first, "
      "SYNCLINE_TIMESTAMP_POST_STREAM the last, and what is no packet of a "
      "stream has SYNCLINE_TIMESTAMP_UNSET"));
}

}  // namespace syncline
