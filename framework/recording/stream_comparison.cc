#include "framework/recording/stream_comparison.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "framework/base/status_macros.h"
#include "framework/recording/value_text.h"

namespace syncline {
namespace {

// How much is shown before and after a difference.
constexpr std::size_t kAround = 3;
// And of each input of the graph, up to its timestamp and after it.
constexpr int kInputsUpTo = 2;
constexpr int kInputsAfter = 1;

void AppendPackets(const RecordingReader& recording,
                   const RecordingRange& range,
                   std::vector<RecordedEvent>* packets) {
  absl::StatusOr<RecordingEvents> events = recording.Events(range);
  if (!events.ok()) return;
  RecordedEvent event;
  while (events->Next(&event).value_or(false)) packets->push_back(event);
}

void AppendPacketsAround(const RecordingReader& recording, int stream,
                         Timestamp timestamp,
                         std::vector<RecordedEvent>* packets) {
  RecordingRange range;
  range.stream = stream;
  range.packets_only = true;
  range.to = timestamp;
  range.last = kInputsUpTo;
  AppendPackets(recording, range, packets);
  // And the packet after those, if there is one.
  if (timestamp >= Timestamp::PostStream()) return;
  range.to = Timestamp::Unset();
  range.from = Timestamp::CreateNoErrorChecking(timestamp.Value() + 1);
  range.last = 0;
  range.first = kInputsAfter;
  AppendPackets(recording, range, packets);
}

}  // namespace

absl::Status StreamComparison::Compare(Timestamp timestamp, std::string data) {
  Entry now = {timestamp, std::move(data)};
  if (differs_) {
    if (now_.size() <= kAround) now_.push_back(std::move(now));
    return absl::OkStatus();
  }
  RecordedEvent recorded;
  bool more = true;
  if (missing_ == 0) {
    SYNCLINE_ASSIGN_OR_RETURN(more, events_.Next(&recorded));
    if (!more && may_end_early_) return absl::OkStatus();
    if (more && recorded.kind == RecordedEvent::kGap) {
      missing_ = recorded.packets;
    }
  }
  if (missing_ > 0) {
    --missing_;
    ++skipped_;
    return absl::OkStatus();
  }
  if (more && recorded.timestamp == now.timestamp &&
      recorded.data == now.data) {
    ++same_;
    before_.push_back(std::move(now));
    if (before_.size() > kAround) before_.pop_front();
    return absl::OkStatus();
  }
  differs_ = true;
  if (more) {
    recorded_.push_back({recorded.timestamp, std::move(recorded.data)});
  }
  now_.push_back(std::move(now));
  return absl::OkStatus();
}

absl::Status StreamComparison::Finish() {
  while (recorded_.size() <= kAround) {
    RecordedEvent recorded;
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, events_.Next(&recorded));
    if (!more) break;
    if (recorded.kind == RecordedEvent::kGap) continue;
    differs_ = true;
    recorded_.push_back({recorded.timestamp, std::move(recorded.data)});
  }
  return absl::OkStatus();
}

Timestamp StreamComparison::timestamp() const {
  Timestamp first = Timestamp::Done();
  if (!recorded_.empty()) first = recorded_.front().timestamp;
  if (!now_.empty()) first = std::min(first, now_.front().timestamp);
  return first;
}

absl::string_view StreamComparison::Kind() const {
  if (recorded_.empty()) return "a packet more";
  if (now_.empty()) return "a packet less";
  const Entry& recorded = recorded_.front();
  const Entry& now = now_.front();
  if (recorded.timestamp == now.timestamp) return "another value";
  // The next packets of both sides tell a packet that was left out from one
  // whose time has changed.
  const bool is_less = recorded_.size() > 1 && recorded_[1] == now;
  const bool is_more = now_.size() > 1 && now_[1] == recorded;
  if (recorded.data == now.data && !is_less && !is_more) {
    return "another timestamp";
  }
  return recorded.timestamp < now.timestamp ? "a packet less" : "a packet more";
}

std::string StreamComparison::Line(absl::string_view whose,
                                   const Entry& entry) const {
  return absl::StrFormat("\n  %-4s%21s  %s", whose,
                         entry.timestamp.DebugString(),
                         ValueText(stream_.type, entry.data));
}

std::string StreamComparison::Difference(const Sides& sides) const {
  std::string text = absl::StrCat(
      "stream \"", stream_.name, "\" ", sides.differs_from, " at its packet ",
      same_ + 1, ", timestamp ", timestamp().DebugString(), ": ", Kind(),
      absl::StrFormat("\n  %25s  value", "timestamp"));
  for (const Entry& entry : before_) absl::StrAppend(&text, Line("", entry));
  AppendRows(sides, &text);
  return text;
}

// A pair that is the same again is one line. Both sides are read equally far,
// so the shorter one has ended there.
void StreamComparison::AppendRows(const Sides& sides, std::string* text) const {
  std::size_t r = 0;
  std::size_t n = 0;
  while (r < recorded_.size() || n < now_.size()) {
    const bool has_both = r < recorded_.size() && n < now_.size();
    if (has_both && recorded_[r] == now_[n]) {
      absl::StrAppend(text, Line("", now_[n]));
      ++r;
      ++n;
      continue;
    }
    const bool takes_recorded =
        n >= now_.size() ||
        (has_both && recorded_[r].timestamp <= now_[n].timestamp);
    absl::StrAppend(text, takes_recorded ? Line(sides.recorded, recorded_[r++])
                                         : Line(sides.now, now_[n++]));
  }
  const auto append_end = [text](absl::string_view whose) {
    absl::StrAppendFormat(text, "\n  %-4s  has ended", whose);
  };
  if (recorded_.size() <= kAround && recorded_.size() < now_.size()) {
    append_end(sides.recorded);
  }
  if (now_.size() <= kAround && now_.size() < recorded_.size()) {
    append_end(sides.now);
  }
}

std::string InputsAround(const RecordingReader& recording,
                         Timestamp timestamp) {
  std::vector<RecordedEvent> packets;
  const std::vector<RecordedStream>& streams = recording.header().streams;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].is_input) {
      AppendPacketsAround(recording, static_cast<int>(i), timestamp, &packets);
    }
  }
  if (packets.empty()) return "";
  std::sort(packets.begin(), packets.end(), [](const auto& a, const auto& b) {
    return std::tie(a.timestamp, a.seq) < std::tie(b.timestamp, b.seq);
  });
  std::string text = "\ninputs of the graph around it:";
  for (const RecordedEvent& packet : packets) {
    const RecordedStream& stream = streams[packet.stream];
    absl::StrAppendFormat(&text, "\n  %25s  %s: %s",
                          packet.timestamp.DebugString(), stream.name,
                          ValueText(stream.type, packet.data));
  }
  return text;
}

}  // namespace syncline
