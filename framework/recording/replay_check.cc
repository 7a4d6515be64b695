#include "framework/recording/replay_check.h"

#include <cstddef>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/stream_comparison.h"

namespace syncline {

// The file, open once more. Streams that share one read it in turns.
struct ReplayCheck::Source {
  Mutex mutex;
  std::unique_ptr<RecordingReader> recording;
};

// One recorded stream. Belongs to the thread that sends on the stream, then to
// Finish.
struct ReplayCheck::Stream {
  absl::Status Compare(Timestamp timestamp, std::string data) {
    MutexLock lock(&source->mutex);
    return comparison.Compare(timestamp, std::move(data));
  }

  // Equal bytes of another type are not the same value, and cannot be shown
  // beside it.
  absl::Status CheckType(const Packet& packet) {
    if (packet.GetTypeId() == type_id) return absl::OkStatus();
    const std::string now = TypeNameOfPacket(packet);
    if (!recorded.type.empty() && now != recorded.type) {
      return absl::DataLossError(absl::StrCat(
          "stream \"", recorded.name, "\" differs from the recording at ",
          packet.Timestamp().DebugString(), ": it has packets of type \"", now,
          "\", where the recording has \"", recorded.type, "\""));
    }
    type_id = packet.GetTypeId();
    return absl::OkStatus();
  }

  RecordedStream recorded;
  // Outlives what reads from it.
  std::shared_ptr<Source> source;
  StreamComparison comparison;
  // The type of the last packet, which is the recorded type.
  TypeId type_id;
};

namespace {

// So many threads compare at a time. A process may have a thousand files open,
// and a graph more streams.
constexpr std::size_t kMostSources = 8;

// Whether what is missing would show as differences that are none.
absl::Status CheckGaps(const RecordingReader& recording,
                       const RecordingRange& range) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto summaries, recording.Summarize());
  const bool is_whole =
      range.from == Timestamp::Unset() && range.to == Timestamp::Unset();
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const RecordedStream& stream = recording.header().streams[i];
    if (summaries[i].missing == 0 || (!stream.is_input && is_whole)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "\"", absl::Utf8SafeCHexEscape(recording.path()),
        "\" has gaps, so this run cannot be compared "
        "with it: ",
        summaries[i].missing, " packets of ",
        stream.is_input ? "the graph input \"" : "stream \"", stream.name,
        "\" are missing, as the disk was too slow. ",
        stream.is_input
            ? "Record again, and let the graph wait (--record_when_full=block)"
            : "Compare the whole recording, without --from and --to",
        "."));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayCheck>> ReplayCheck::Create(
    CalculatorGraph* graph, const std::string& path,
    const RecordingRange& range) {
  std::unique_ptr<ReplayCheck> check(new ReplayCheck);
  SYNCLINE_ASSIGN_OR_RETURN(check->recording_, RecordingReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(CheckGaps(*check->recording_, range));
  const std::vector<RecordedStream>& streams =
      check->recording_->header().streams;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].is_input) continue;
    if (graph->plan().FindStream(streams[i].name) < 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "\"", absl::Utf8SafeCHexEscape(path), "\" has the stream \"",
          streams[i].name,
          "\", which the graph does not have: it is a recording of another "
          "graph"));
    }
    // Each stream is compared on the thread that sends it.
    SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Source> source,
                              check->NextSource(path));
    RecordingRange of_stream = range;
    of_stream.stream = static_cast<int>(i);
    of_stream.no_bounds = true;
    SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events,
                              source->recording->Events(of_stream));
    const bool may_end_early = source->recording->ended() != "OK";
    auto stream = std::make_shared<Stream>(
        Stream{streams[i], source,
               StreamComparison(streams[i], std::move(events), may_end_early)});
    check->streams_.push_back(stream);
    SYNCLINE_RETURN_IF_ERROR(graph->ObserveOutputStream(
        streams[i].name, [stream, range](const Packet& packet) -> absl::Status {
          const Timestamp timestamp = packet.Timestamp();
          if ((range.from != Timestamp::Unset() && timestamp < range.from) ||
              (range.to != Timestamp::Unset() && timestamp > range.to)) {
            return absl::OkStatus();
          }
          SYNCLINE_RETURN_IF_ERROR(stream->CheckType(packet));
          SYNCLINE_ASSIGN_OR_RETURN(std::string bytes, BytesOfPacket(packet));
          return stream->Compare(timestamp, std::move(bytes));
        }));
  }
  if (check->streams_.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "\"", absl::Utf8SafeCHexEscape(path),
        "\" has inputs of the graph only, so there is nothing to compare: "
        "record outputs too (--record_streams)"));
  }
  return check;
}

ReplayCheck::~ReplayCheck() = default;

absl::StatusOr<std::shared_ptr<ReplayCheck::Source>> ReplayCheck::NextSource(
    const std::string& path) {
  if (sources_.size() == kMostSources) {
    return sources_[streams_.size() % kMostSources];
  }
  auto source = std::make_shared<Source>();
  SYNCLINE_ASSIGN_OR_RETURN(source->recording, RecordingReader::Open(path));
  sources_.push_back(source);
  return source;
}

absl::Status ReplayCheck::Finish() {
  const StreamComparison* first = nullptr;
  int others = -1;
  for (const std::shared_ptr<Stream>& stream : streams_) {
    StreamComparison& comparison = stream->comparison;
    SYNCLINE_RETURN_IF_ERROR(comparison.Finish());
    if (!comparison.differs()) continue;
    ++others;
    if (first == nullptr || comparison.timestamp() < first->timestamp()) {
      first = &comparison;
    }
  }
  if (first == nullptr) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      first->Difference(), InputsAround(*recording_, first->timestamp()),
      others == 0 ? ""
                  : absl::StrCat("\n", others, " more of the recorded streams ",
                                 others == 1 ? "differs" : "differ")));
}

std::int64_t ReplayCheck::skipped() const {
  std::int64_t skipped = 0;
  for (const std::shared_ptr<Stream>& stream : streams_) {
    skipped += stream->comparison.skipped();
  }
  return skipped;
}

std::int64_t ReplayCheck::packets() const {
  std::int64_t packets = 0;
  for (const std::shared_ptr<Stream>& stream : streams_) {
    packets += stream->comparison.same();
  }
  return packets;
}

}  // namespace syncline
