#include "framework/tool/container_util.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/calculator/port_name.h"
#include "framework/config/switch_container.pb.h"

namespace syncline {
namespace tool {
namespace {

constexpr absl::string_view kSeparator = "__";

// The channel that `select` or `enable` asks for. Either may be empty.
int ChannelIn(const Packet& select, const Packet& enable, int otherwise) {
  if (!select.IsEmpty()) return select.Get<int>();
  if (!enable.IsEmpty()) return enable.Get<bool>() ? 1 : 0;
  return otherwise;
}

Packet SidePacket(const CalculatorContext& cc, absl::string_view tag) {
  return cc.InputSidePackets().HasTag(tag) ? cc.InputSidePackets().Tag(tag)
                                           : Packet();
}

Packet StreamPacket(const CalculatorContext& cc, absl::string_view tag) {
  return cc.Inputs().HasTag(tag) ? cc.Inputs().Tag(tag).Value() : Packet();
}

}  // namespace

std::string ChannelTag(absl::string_view tag, int channel) {
  return absl::StrCat("C", channel, kSeparator, tag);
}

absl::optional<std::pair<int, std::string>> ParseChannelTag(
    absl::string_view channel_tag) {
  if (!absl::ConsumePrefix(&channel_tag, "C")) return absl::nullopt;
  const auto digits = channel_tag.find(kSeparator);
  if (digits == absl::string_view::npos) return absl::nullopt;
  const absl::string_view number = channel_tag.substr(0, digits);
  int channel = 0;
  // Also refuses a channel with leading zeros, which would be a second name.
  if (!ValidateNumber(number).ok() || !absl::SimpleAtoi(number, &channel) ||
      channel > kMaxCollectionItemId) {
    return absl::nullopt;
  }
  return std::make_pair(
      channel, std::string(channel_tag.substr(digits + kSeparator.size())));
}

std::set<std::string> ChannelTags(const std::shared_ptr<const TagMap>& ports) {
  std::set<std::string> tags;
  for (const std::string& tag : ports->GetTags()) {
    if (const auto channel = ParseChannelTag(tag)) tags.insert(channel->second);
  }
  return tags;
}

int ChannelCount(const std::shared_ptr<const TagMap>& ports) {
  int count = 0;
  for (const std::string& tag : ports->GetTags()) {
    if (const auto channel = ParseChannelTag(tag)) {
      count = std::max(count, channel->first + 1);
    }
  }
  return count;
}

Timestamp BoundAfter(Timestamp settled) {
  // Nothing is settled yet: a packet at PreStream may still come.
  if (settled < Timestamp::PreStream()) return Timestamp::PreStream();
  return settled.NextAllowedInStream();
}

void RaiseBound(Timestamp bound, OutputStream* output) {
  if (bound > output->NextTimestampBound()) {
    output->SetNextTimestampBound(bound);
  }
}

void Relay(const Packet& packet, OutputStream* output) {
  if (packet.IsEmpty()) {
    RaiseBound(BoundAfter(packet.Timestamp()), output);
  } else {
    output->AddPacket(packet);
  }
}

void Relay(const InputStream& input, OutputStream* output) {
  Relay(input.Value(), output);
}

int GetChannelIndex(const CalculatorContext& cc, int previous_index) {
  if (cc.InputTimestamp() != Timestamp::Unstarted()) {
    return ChannelIn(StreamPacket(cc, "SELECT"), StreamPacket(cc, "ENABLE"),
                     previous_index);
  }
  const auto& options = cc.Options<SwitchContainerOptions>();
  int index = previous_index;
  if (options.has_enable()) index = options.enable() ? 1 : 0;
  if (options.has_select()) index = options.select();
  return ChannelIn(SidePacket(cc, "SELECT"), SidePacket(cc, "ENABLE"), index);
}

}  // namespace tool
}  // namespace syncline
