#include "framework/recording/graph_player.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/base/steady_time.h"
#include "framework/packet/packet_bytes.h"
#include "glog/logging.h"

namespace syncline {
namespace {

std::string Quoted(const std::vector<std::string>& names) {
  return absl::StrCat("\"", absl::StrJoin(names, "\", \""), "\"");
}

bool Sleep(absl::Duration duration) {
  std::this_thread::sleep_for(absl::ToChronoNanoseconds(duration));
  return true;
}

// The times of arrival between which the replay keeps the pace of the
// recording.
struct Period {
  absl::optional<std::int64_t> begin_ns;
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
};

// The period of the packets that are played. The player does not wait for
// bounds and ends before and after these packets.
absl::StatusOr<Period> PeriodOf(const RecordingReader& recording,
                                RecordingRange range) {
  if (range.from == Timestamp::Unset() && range.to == Timestamp::Unset()) {
    return Period();
  }
  range.packets_only = true;
  const auto arrival_of = [&]() -> absl::StatusOr<std::int64_t> {
    SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events, recording.Events(range));
    RecordedEvent event;
    SYNCLINE_RETURN_IF_ERROR(events.Next(&event).status());
    return event.arrival_ns;
  };
  Period period;
  range.first = 1;
  SYNCLINE_ASSIGN_OR_RETURN(period.begin_ns, arrival_of());
  range.first = 0;
  range.last = 1;
  SYNCLINE_ASSIGN_OR_RETURN(period.end_ns, arrival_of());
  return period;
}

// Holds each event back until it is due.
class Pace {
 public:
  Pace(const PlayOptions& options, const Period& period)
      : speed_(options.speed),
        wait_(options.wait != nullptr ? options.wait : Sleep),
        start_ns_(SteadyNowNs()),
        period_(period) {}

  // False: somebody does not want to wait any more.
  bool WaitFor(const RecordedEvent& event) {
    if (speed_ <= 0) return true;
    if (!period_.begin_ns.has_value()) period_.begin_ns = event.arrival_ns;
    const std::int64_t arrival_ns =
        std::max(*period_.begin_ns, std::min(event.arrival_ns, period_.end_ns));
    // At most a hundred years, which a clock can count.
    const double since = std::min(
        static_cast<double>(arrival_ns - *period_.begin_ns) / speed_, 3e18);
    const std::int64_t left =
        start_ns_ + static_cast<std::int64_t>(since) - SteadyNowNs();
    return left <= 0 || wait_(absl::Nanoseconds(left));
  }

 private:
  const double speed_;
  const std::function<bool(absl::Duration)> wait_;
  const std::int64_t start_ns_;
  // From the first event on, if nothing else is said.
  Period period_;
};

// Feeds one event. False: nothing more is wanted.
absl::StatusOr<bool> Feed(const RecordedStream& stream,
                          const RecordedEvent& event, CalculatorGraph* graph,
                          const PlayOptions& options) {
  if (event.kind == RecordedEvent::kBound) {
    SYNCLINE_RETURN_IF_ERROR(event.timestamp == Timestamp::Done()
                                 ? graph->CloseInputStream(stream.name)
                                 : graph->SetInputStreamTimestampBound(
                                       stream.name, event.timestamp));
    return true;
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      Packet packet, DecodeRecorded(stream.type, event.data),
      _.SetPrepend() << "packet " << event.seq << " of stream \"" << stream.name
                     << "\" at " << event.timestamp.DebugString() << ": ");
  packet = packet.At(event.timestamp);
  if (options.before_packet != nullptr &&
      !options.before_packet(event, packet)) {
    return false;
  }
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream(
      stream.name, std::move(packet), event.times));
  return true;
}

// The values of side packets or headers of the recorded run, by name; `what` is
// what errors call them.
absl::StatusOr<std::map<std::string, Packet>> DecodeAll(
    const std::vector<RecordedSidePacket>& all, absl::string_view what) {
  std::map<std::string, Packet> packets;
  for (const RecordedSidePacket& recorded : all) {
    SYNCLINE_ASSIGN_OR_RETURN(
        packets[recorded.name], DecodeRecorded(recorded.type, recorded.data),
        _.SetPrepend() << what << " \"" << recorded.name << "\": ");
  }
  return packets;
}

}  // namespace

absl::StatusOr<Packet> DecodeRecorded(const std::string& type,
                                      const std::string& data) {
  absl::StatusOr<Packet> packet = PacketFromBytes(type, data);
  if (absl::IsInvalidArgument(packet.status())) {
    return absl::DataLossError(packet.status().message());
  }
  return packet;
}

absl::StatusOr<std::map<std::string, Packet>> RecordedSidePackets(
    const RecordingReader& recording) {
  return DecodeAll(recording.header().side_packets, "side packet");
}

absl::StatusOr<std::map<std::string, Packet>> RecordedHeaders(
    const RecordingReader& recording) {
  std::vector<RecordedSidePacket> headers = recording.header().stream_headers;
  // A part of a recording need not have all streams.
  std::erase_if(headers, [&recording](const RecordedSidePacket& header) {
    return !recording.FindStream(header.name).has_value();
  });
  return DecodeAll(headers, "the header of graph input");
}

absl::Status CheckFits(const RecordingReader& recording,
                       const GraphPlan& plan) {
  std::vector<std::string> unknown;
  for (const RecordedStream& stream : recording.header().streams) {
    if (stream.is_input && plan.FindGraphInput(stream.name) < 0) {
      unknown.push_back(stream.name);
    }
  }
  std::vector<std::string> missing;
  for (const PlanGraphInput& input : plan.graph_inputs()) {
    const absl::optional<int> stream = recording.FindStream(input.name);
    if (!stream.has_value() || !recording.header().streams[*stream].is_input) {
      missing.push_back(input.name);
    }
  }
  if (unknown.empty() && missing.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "\"", absl::Utf8SafeCHexEscape(recording.path()),
      "\" is a recording of another graph",
      unknown.empty()
          ? ""
          : absl::StrCat("; this one has no input ", Quoted(unknown)),
      missing.empty()
          ? ""
          : absl::StrCat("; the recording has no packets for the input ",
                         Quoted(missing))));
}

absl::Status PlayRecording(const RecordingReader& recording,
                           CalculatorGraph* graph, const PlayOptions& options) {
  RecordingRange range;
  range.from = options.from;
  range.to = options.to;
  SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events, recording.Events(range));
  Period period;
  if (options.speed > 0) {
    SYNCLINE_ASSIGN_OR_RETURN(period, PeriodOf(recording, range));
  }
  Pace pace(options, period);
  RecordedEvent event;
  bool has_warned_of_gap = false;
  while (true) {
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, events.Next(&event));
    if (!more) break;
    const RecordedStream& stream = recording.header().streams[event.stream];
    if (!stream.is_input) continue;
    if (event.kind == RecordedEvent::kGap) {
      if (std::exchange(has_warned_of_gap, true)) continue;
      LOG(WARNING) << "\"" << recording.path()
                   << "\" has gaps: " << event.packets << " packets of \""
                   << stream.name
                   << "\" are the first that are missing, as the disk was too "
                      "slow, so this run is not the one that was recorded.";
      continue;
    }
    if (!pace.WaitFor(event)) break;
    SYNCLINE_ASSIGN_OR_RETURN(const bool goes_on,
                              Feed(stream, event, graph, options));
    if (!goes_on) break;
  }
  return graph->CloseAllInputStreams();
}

}  // namespace syncline
