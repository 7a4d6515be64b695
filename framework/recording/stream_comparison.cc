#include "framework/recording/stream_comparison.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "framework/base/status_macros.h"
#include "framework/packet/packet.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/value_text.h"

namespace syncline {
namespace {

// How much is shown before and after a difference.
constexpr std::size_t kAround = 3;

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

std::string StreamComparison::Line(absl::string_view whose,
                                   const Entry& entry) const {
  const absl::StatusOr<Packet> packet =
      DecodeRecorded(stream_.type, entry.data);
  return absl::StrFormat(
      "\n  %-4s%21s  %s", whose, entry.timestamp.DebugString(),
      packet.ok() ? ValueText(*packet) : BytesText(entry.data));
}

std::string StreamComparison::Difference(absl::string_view now) const {
  std::string text = absl::StrCat(
      "stream \"", stream_.name, "\" differs from the recording at its packet ",
      same_ + 1, ", timestamp ", timestamp().DebugString(), ":",
      absl::StrFormat("\n  %25s  value", "timestamp"));
  for (const Entry& entry : before_) absl::StrAppend(&text, Line("", entry));
  absl::StrAppend(&text, recorded_.empty() ? "\n  rec   has ended"
                                           : Line("rec", recorded_[0]));
  absl::StrAppend(&text, now_.empty()
                             ? absl::StrFormat("\n  %-4s  has ended", now)
                             : Line(now, now_[0]));
  AppendRest(now, &text);
  return text;
}

// What follows, by timestamp; what is the same again is one line.
void StreamComparison::AppendRest(absl::string_view now,
                                  std::string* text) const {
  std::size_t r = 1;
  std::size_t n = 1;
  while (r < recorded_.size() || n < now_.size()) {
    const bool has_both = r < recorded_.size() && n < now_.size();
    if (has_both && recorded_[r].timestamp == now_[n].timestamp &&
        recorded_[r].data == now_[n].data) {
      absl::StrAppend(text, Line("", now_[n]));
      ++r;
      ++n;
      continue;
    }
    const bool takes_recorded =
        n >= now_.size() ||
        (has_both && recorded_[r].timestamp <= now_[n].timestamp);
    absl::StrAppend(text, takes_recorded ? Line("rec", recorded_[r++])
                                         : Line(now, now_[n++]));
  }
}

}  // namespace syncline
