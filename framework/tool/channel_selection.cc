#include "framework/tool/channel_selection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/switch_container.pb.h"
#include "framework/tool/container_util.h"

namespace syncline {
namespace tool {
namespace {

constexpr char kSelect[] = "SELECT";
constexpr char kEnable[] = "ENABLE";

// How many changes of channel are remembered for inputs that lag behind.
constexpr std::size_t kMaxSpans = 1000000;

// The limit for the number of ports times the number of channels.
constexpr std::int64_t kMaxConnections = 100000;

absl::Status OnlyOne(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("the channel can be selected by one ", what,
                   ", and not by both SELECT and ENABLE"));
}

// Sets the types of SELECT and ENABLE among ports of one kind.
absl::Status FillTypes(PacketTypeSet& ports, absl::string_view what) {
  if (ports.HasTag(kSelect) && ports.HasTag(kEnable)) return OnlyOne(what);
  if (ports.HasTag(kSelect)) ports.Tag(kSelect).Set<int>().Optional();
  if (ports.HasTag(kEnable)) ports.Tag(kEnable).Set<bool>().Optional();
  return absl::OkStatus();
}

// The stream that selects; null if the selection does not come from a stream.
const InputStream* SelectingStream(const CalculatorContext& cc) {
  for (const char* tag : {kSelect, kEnable}) {
    if (cc.Inputs().HasTag(tag)) return &cc.Inputs().Tag(tag);
  }
  return nullptr;
}

}  // namespace

Timestamp SettledTime(const InputStream& input) {
  return input.IsDone() ? Timestamp::Done() : input.Value().Timestamp();
}

absl::Status ChannelSelection::FillContract(CalculatorContract* cc) {
  const auto& options = cc->Options<SwitchContainerOptions>();
  if (options.has_select() && options.has_enable()) {
    return absl::InvalidArgumentError(
        "SwitchContainerOptions has both `select` and `enable`: the channel "
        "can be selected by one of them only");
  }
  SYNCLINE_RETURN_IF_ERROR(FillTypes(cc->Inputs(), "input stream"));
  return FillTypes(cc->InputSidePackets(), "side packet");
}

absl::Status ChannelSelection::CheckSize(int ports, int channels) {
  if (std::int64_t{ports} * channels <= kMaxConnections) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a switch of ", channels, " channels with ", ports,
                   " ports each is too large: there can be ", kMaxConnections,
                   " ports of channels in all"));
}

absl::Status ChannelSelection::Open(const CalculatorContext& cc,
                                    int channel_count) {
  channel_count_ = channel_count;
  spans_.clear();
  if (SelectingStream(cc) == nullptr) Close();
  return Select(GetChannelIndex(cc, 0), Timestamp::Unstarted(), cc);
}

absl::Status ChannelSelection::Update(const CalculatorContext& cc) {
  const InputStream* const stream = SelectingStream(cc);
  if (stream == nullptr) return absl::OkStatus();
  settled_ = std::max(settled_, SettledTime(*stream));
  if (stream->IsEmpty()) return absl::OkStatus();
  return Select(GetChannelIndex(cc, spans_.back().channel),
                stream->Value().Timestamp(), cc);
}

absl::Status ChannelSelection::Select(int channel, Timestamp from,
                                      const CalculatorContext& cc) {
  if (channel < 0 || channel >= channel_count_) {
    return absl::InvalidArgumentError(
        absl::StrCat("channel ", channel, " is selected at ",
                     cc.InputTimestamp().DebugString(), ", but there are ",
                     channel_count_, " channels, counted from 0"));
  }
  if (!spans_.empty() && spans_.back().channel == channel) {
    return absl::OkStatus();
  }
  if (spans_.size() >= kMaxSpans) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the selected channel changed ", kMaxSpans,
        " times while a stream stayed at timestamps before the first of these "
        "changes; let the stream advance its timestamp bound"));
  }
  spans_.push_back({from, channel});
  return absl::OkStatus();
}

int ChannelSelection::ChannelAt(Timestamp time) const {
  const auto after = std::upper_bound(
      spans_.begin(), spans_.end(), time,
      [](Timestamp t, const Span& span) { return t < span.from; });
  return std::prev(after)->channel;
}

void ChannelSelection::ForgetBefore(std::int64_t position) {
  for (; first_ < position; ++first_) spans_.pop_front();
}

}  // namespace tool
}  // namespace syncline
