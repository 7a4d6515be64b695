#include "tools/recording/commands.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_writer.h"
#include "framework/recording/stream_comparison.h"
#include "framework/recording/value_text.h"
#include "tools/exit_status.h"
#include "tools/packet_lines.h"

namespace syncline {
namespace {

std::string TextOf(Timestamp timestamp) {
  return timestamp == Timestamp::Unset() ? "-" : TimestampText(timestamp);
}

bool IsWanted(const RecordingPart& part, const std::string& stream) {
  return part.streams.empty() ||
         std::find(part.streams.begin(), part.streams.end(), stream) !=
             part.streams.end();
}

absl::Status CopyEvent(const RecordedEvent& event, int stream,
                       RecordingWriter* to) {
  switch (event.kind) {
    case RecordedEvent::kPacket:
      return to->AppendPacket(event.seq, stream, event.timestamp,
                              event.arrival_ns, event.data, event.times);
    case RecordedEvent::kBound:
      return to->AppendBound(event.seq, stream, event.timestamp,
                             event.arrival_ns);
    case RecordedEvent::kGap:
      return to->AppendGap(event.seq, stream, event.packets);
  }
  return absl::OkStatus();
}

// Copies what can be read; `damage` says why that is not all. An error is of
// `to`.
absl::Status CopyEvents(const std::vector<int>& new_id, RecordingEvents* events,
                        RecordingWriter* to, absl::Status* damage) {
  RecordedEvent event;
  while (true) {
    const absl::StatusOr<bool> more = events->Next(&event);
    *damage = more.status();
    if (!more.ok() || !*more) return absl::OkStatus();
    if (new_id[event.stream] < 0) continue;
    SYNCLINE_RETURN_IF_ERROR(CopyEvent(event, new_id[event.stream], to));
  }
}

std::string TextOf(const RecordedSidePacket& recorded) {
  return recorded.type.empty() ? "none"
                               : ValueText(recorded.type, recorded.data);
}

// Without a type if there is none.
RecordedSidePacket HeaderOf(const RecordingReader& recording,
                            const std::string& stream) {
  for (const RecordedSidePacket& header : recording.header().stream_headers) {
    if (header.name == stream) return header;
  }
  return {};
}

void PrintSidePackets(absl::string_view what,
                      const std::vector<RecordedSidePacket>& side_packets,
                      std::ostream* out) {
  for (const RecordedSidePacket& side_packet : side_packets) {
    *out << what << " " << Shown(side_packet.name) << " ("
         << Shown(side_packet.type) << "): " << TextOf(side_packet) << "\n";
  }
}

// Of a diff: the 1st and the 2nd.
struct RecordingPair {
  const RecordingReader& left;
  const RecordingReader& right;
};

std::string DiffersText(const RecordingPair& pair) {
  return absl::StrCat("of \"", ShownName(pair.right.path()),
                      "\" differs from that of \"", ShownName(pair.left.path()),
                      "\"");
}

// Equal bytes of two types are not the same values. Only the type of a stream
// without packets may be unknown: the reader refuses others.
bool TypesAreSame(const RecordingPair& pair, const RecordedStream& left,
                  const RecordedStream& right, std::ostream* out) {
  if (left.type == right.type || left.type.empty() || right.type.empty()) {
    return true;
  }
  *out << "the type of stream \"" << left.name << "\" " << DiffersText(pair)
       << "\n  1st   " << Shown(left.type) << "\n  2nd   " << Shown(right.type)
       << "\n";
  return false;
}

bool HeadersAreSame(const RecordingPair& pair, const std::string& stream,
                    std::ostream* out) {
  const RecordedSidePacket left = HeaderOf(pair.left, stream);
  const RecordedSidePacket right = HeaderOf(pair.right, stream);
  if (left.type == right.type && left.data == right.data) return true;
  *out << "the header of stream \"" << stream << "\" " << DiffersText(pair)
       << "\n  1st   " << TextOf(left) << "\n  2nd   " << TextOf(right) << "\n";
  return false;
}

absl::StatusOr<bool> PacketsAreSame(const RecordingPair& pair, int left_stream,
                                    int right_stream, RecordingRange range,
                                    std::ostream* out) {
  range.packets_only = true;
  range.stream = left_stream;
  SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents recorded, pair.left.Events(range));
  StreamComparison comparison(pair.left.header().streams[left_stream],
                              std::move(recorded),
                              /*may_end_early=*/false);
  range.stream = right_stream;
  SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events, pair.right.Events(range));
  RecordedEvent event;
  while (true) {
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, events.Next(&event));
    if (!more) break;
    SYNCLINE_RETURN_IF_ERROR(
        comparison.Compare(event.timestamp, std::move(event.data)));
  }
  SYNCLINE_RETURN_IF_ERROR(comparison.Finish());
  if (!comparison.differs()) return true;
  StreamComparison::Sides sides;
  sides.recorded = "1st";
  sides.now = "2nd";
  sides.differs_from = DiffersText(pair);
  *out << comparison.Difference(sides) << "\n";
  return false;
}

// Packets that a recording left out may be why two differ.
void PrintMissing(const std::string& stream, const std::string& path,
                  std::int64_t packets, std::ostream* out) {
  if (packets == 0) return;
  *out << packets << " packets of stream \"" << stream
       << "\" are missing from \"" << ShownName(path)
       << "\": the disk was too slow\n";
}

}  // namespace

absl::Status CheckStreams(const RecordingReader& recording,
                          const RecordingPart& part) {
  std::vector<std::string> names;
  for (const RecordedStream& stream : recording.header().streams) {
    names.push_back(stream.name);
  }
  for (const std::string& name : part.streams) {
    if (recording.FindStream(name).has_value()) continue;
    return absl::NotFoundError(absl::StrCat(
        "\"", ShownName(recording.path()), "\" has no stream \"",
        ShownName(name), "\".", DidYouMeanOrKnownText(name, names)));
  }
  return absl::OkStatus();
}

absl::Status PrintRecording(const std::string& path, std::ostream* out) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSIGN_OR_RETURN(const auto summaries, recording->Summarize());
  const RecordingHeader& header = recording->header();
  *out << "made by " << Shown(recording->made_by()) << " at "
       << Shown(recording->made_at()) << "\nthe run ended: "
       << Shown(recording->ended().value_or("not; the recording was cut short"))
       << "\ngraph: " << header.graph.node_size() << " nodes\n";
  PrintSidePackets("side packet", header.side_packets, out);
  PrintSidePackets("header of", header.stream_headers, out);
  *out << absl::StrFormat("%-24s %-6s %12s %14s %14s %14s  %s\n", "stream", "",
                          "packets", "bytes", "first", "last", "type");
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const RecordedStream& stream = header.streams[i];
    const RecordingReader::StreamSummary& summary = summaries[i];
    *out << absl::StrFormat("%-24s %-6s %12d %14d %14s %14s  %s\n", stream.name,
                            stream.is_input ? "input" : "", summary.packets,
                            summary.bytes, TextOf(summary.first),
                            TextOf(summary.last), Shown(stream.type));
    if (summary.missing > 0) {
      *out << "  " << summary.missing
           << " packets are missing: the disk was too slow\n";
    }
  }
  return absl::OkStatus();
}

absl::Status CutRecording(const std::string& path, const RecordingPart& part,
                          const std::string& out) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto recording, RecordingReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(CheckStreams(*recording, part));
  RecordingHeader header = recording->header();
  header.streams.clear();
  std::vector<int> new_id;
  for (const RecordedStream& stream : recording->header().streams) {
    const bool wanted = IsWanted(part, stream.name);
    new_id.push_back(wanted ? static_cast<int>(header.streams.size()) : -1);
    if (wanted) header.streams.push_back(stream);
  }
  SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events,
                            recording->Events(part.range));
  SYNCLINE_ASSIGN_OR_RETURN(const auto writer,
                            RecordingWriter::Create(out, header));
  absl::Status damage;
  absl::Status written = CopyEvents(new_id, &events, writer.get(), &damage);
  if (written.ok()) {
    // Without an end, what is before the damage says that it was cut short.
    written = damage.ok() && recording->ended().has_value()
                  ? writer->Finish(*recording->ended())
                  : writer->Commit();
  }
  if (written.ok()) return damage;
  writer->Discard();
  return written;
}

absl::StatusOr<bool> DiffRecordings(const std::string& path,
                                    const std::string& other,
                                    const RecordingPart& part,
                                    std::ostream* out) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto left, RecordingReader::Open(path));
  SYNCLINE_ASSIGN_OR_RETURN(const auto right, RecordingReader::Open(other));
  SYNCLINE_RETURN_IF_ERROR(CheckStreams(*left, part));
  SYNCLINE_ASSIGN_OR_RETURN(const auto left_summaries, left->Summarize());
  SYNCLINE_ASSIGN_OR_RETURN(const auto right_summaries, right->Summarize());
  bool same = true;
  for (const RecordedStream& stream : right->header().streams) {
    if (!IsWanted(part, stream.name) ||
        left->FindStream(stream.name).has_value()) {
      continue;
    }
    same = false;
    *out << "only \"" << ShownName(other) << "\" has stream \"" << stream.name
         << "\"\n";
  }
  const RecordingPair pair = {*left, *right};
  for (std::size_t i = 0; i < left->header().streams.size(); ++i) {
    const RecordedStream& stream = left->header().streams[i];
    if (!IsWanted(part, stream.name)) continue;
    const absl::optional<int> id = right->FindStream(stream.name);
    if (!id.has_value()) {
      same = false;
      *out << "only \"" << ShownName(path) << "\" has stream \"" << stream.name
           << "\"\n";
      continue;
    }
    if (!HeadersAreSame(pair, stream.name, out)) same = false;
    if (!TypesAreSame(pair, stream, right->header().streams[*id], out)) {
      same = false;
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const bool same_packets,
        PacketsAreSame(pair, static_cast<int>(i), *id, part.range, out));
    const std::int64_t left_missing = left_summaries[i].missing;
    const std::int64_t right_missing = right_summaries[*id].missing;
    if (!same_packets || left_missing != right_missing) {
      PrintMissing(stream.name, path, left_missing, out);
      PrintMissing(stream.name, other, right_missing, out);
    }
    if (!same_packets) same = false;
  }
  return same;
}

}  // namespace syncline
