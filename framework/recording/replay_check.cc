#include "framework/recording/replay_check.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/value_text.h"

namespace syncline {
namespace {

// How much is shown before and after a difference.
constexpr std::size_t kAround = 3;

std::string Line(absl::string_view whose, Timestamp timestamp,
                 absl::string_view value) {
  return absl::StrFormat("\n  %-4s%21s  %s", whose, timestamp.DebugString(),
                         value);
}

}  // namespace

// Compares one stream with its recording.
//
//   same --a packet differs--> different: collects what follows, for the text
//   same --an error of the file--> failed
//
// Belongs to the thread that sends on the stream, then to Finish.
class ReplayCheck::Stream {
 public:
  Stream(std::unique_ptr<RecordingReader> recording, RecordedStream stream,
         RecordingEvents events)
      : recording_(std::move(recording)),
        stream_(std::move(stream)),
        events_(std::move(events)) {}

  absl::Status Compare(const Packet& now) {
    if (differs_) {
      if (now_.size() <= kAround) now_.push_back(now);
      return absl::OkStatus();
    }
    RecordedEvent recorded;
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, events_.Next(&recorded));
    if (!more && !recording_->ended().has_value()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const std::string bytes, BytesOfPacket(now));
    if (more && recorded.timestamp == now.Timestamp() &&
        recorded.data == bytes) {
      ++same_;
      before_.push_back(now);
      if (before_.size() > kAround) before_.pop_front();
      return absl::OkStatus();
    }
    differs_ = true;
    if (more) recorded_.push_back(std::move(recorded));
    now_.push_back(now);
    return absl::OkStatus();
  }

  // After the run: also what did not come any more.
  absl::Status Finish() {
    RecordedEvent recorded;
    while (recorded_.size() <= kAround) {
      SYNCLINE_ASSIGN_OR_RETURN(const bool more, events_.Next(&recorded));
      if (!more) break;
      differs_ = true;
      recorded_.push_back(recorded);
    }
    return absl::OkStatus();
  }

  bool differs() const { return differs_; }
  std::int64_t same() const { return same_; }
  // Of the first difference.
  Timestamp timestamp() const {
    Timestamp first = Timestamp::Done();
    if (!recorded_.empty()) first = recorded_.front().timestamp;
    if (!now_.empty()) first = std::min(first, now_.front().Timestamp());
    return first;
  }

  std::string Difference() const {
    std::string text =
        absl::StrCat("stream \"", stream_.name,
                     "\" differs from the recording at its packet ", same_ + 1,
                     ", timestamp ", timestamp().DebugString(), ":",
                     absl::StrFormat("\n  %25s  value", "timestamp"));
    for (const Packet& packet : before_) {
      text += Line("", packet.Timestamp(), ValueText(packet));
    }
    text += recorded_.empty() ? "\n  rec   has ended" : Recorded(0);
    text += now_.empty() ? "\n  now   has ended" : Now(0);
    AppendRest(&text);
    return text;
  }

 private:
  // What follows, by timestamp; what came back to being the same is one line.
  void AppendRest(std::string* text) const {
    std::size_t r = 1;
    std::size_t n = 1;
    while (r < recorded_.size() || n < now_.size()) {
      const bool has_both = r < recorded_.size() && n < now_.size();
      if (has_both && recorded_[r].timestamp == now_[n].Timestamp() &&
          recorded_[r].data == BytesOfPacket(now_[n]).value_or("")) {
        absl::StrAppend(text,
                        Line("", now_[n].Timestamp(), ValueText(now_[n])));
        ++r;
        ++n;
        continue;
      }
      const bool takes_recorded =
          n >= now_.size() ||
          (has_both && recorded_[r].timestamp <= now_[n].Timestamp());
      absl::StrAppend(text, takes_recorded ? Recorded(r++) : Now(n++));
    }
  }

  std::string Recorded(std::size_t i) const {
    const RecordedEvent& event = recorded_[i];
    const absl::StatusOr<Packet> packet =
        DecodeRecorded(stream_.type, event.data);
    return Line("rec", event.timestamp,
                packet.ok() ? ValueText(*packet)
                            : std::string(packet.status().message()));
  }
  std::string Now(std::size_t i) const {
    return Line("now", now_[i].Timestamp(), ValueText(now_[i]));
  }

  const std::unique_ptr<RecordingReader> recording_;
  const RecordedStream stream_;
  RecordingEvents events_;
  std::int64_t same_ = 0;
  bool differs_ = false;
  std::deque<Packet> before_;
  // From the first difference on.
  std::vector<RecordedEvent> recorded_;
  std::vector<Packet> now_;
};

absl::StatusOr<std::unique_ptr<ReplayCheck>> ReplayCheck::Create(
    CalculatorGraph* graph, const std::string& path,
    const RecordingRange& range) {
  std::unique_ptr<ReplayCheck> check(new ReplayCheck);
  SYNCLINE_ASSIGN_OR_RETURN(const auto overview, RecordingReader::Open(path));
  const std::vector<RecordedStream>& streams = overview->header().streams;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].is_input) continue;
    if (graph->plan().FindStream(streams[i].name) < 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "\"", path, "\" has the stream \"", streams[i].name,
          "\", which the graph does not have: it is a recording of another "
          "graph"));
    }
    // Each stream is compared on the thread that sends it, so each has the file
    // open for itself.
    SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
    RecordingRange of_stream = range;
    of_stream.stream = static_cast<int>(i);
    of_stream.packets_only = true;
    SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events,
                              recording->Events(of_stream));
    auto stream = std::make_shared<Stream>(std::move(recording), streams[i],
                                           std::move(events));
    check->streams_.push_back(stream);
    SYNCLINE_RETURN_IF_ERROR(graph->ObserveOutputStream(
        streams[i].name, [stream, range](const Packet& packet) {
          const bool is_in_range = (range.from == Timestamp::Unset() ||
                                    packet.Timestamp() >= range.from) &&
                                   (range.to == Timestamp::Unset() ||
                                    packet.Timestamp() <= range.to);
          return is_in_range ? stream->Compare(packet) : absl::OkStatus();
        }));
  }
  if (check->streams_.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "\"", path,
        "\" has inputs of the graph only, so there is nothing to compare: "
        "record outputs too (--record_streams)"));
  }
  return check;
}

ReplayCheck::~ReplayCheck() = default;

absl::Status ReplayCheck::Finish() {
  const Stream* first = nullptr;
  int others = -1;
  for (const std::shared_ptr<Stream>& stream : streams_) {
    SYNCLINE_RETURN_IF_ERROR(stream->Finish());
    if (!stream->differs()) continue;
    ++others;
    if (first == nullptr || stream->timestamp() < first->timestamp()) {
      first = stream.get();
    }
  }
  if (first == nullptr) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      first->Difference(),
      others == 0 ? ""
                  : absl::StrCat("\n", others, " more of the recorded streams ",
                                 others == 1 ? "differs" : "differ")));
}

std::int64_t ReplayCheck::packets() const {
  std::int64_t packets = 0;
  for (const std::shared_ptr<Stream>& stream : streams_) {
    packets += stream->same();
  }
  return packets;
}

}  // namespace syncline
