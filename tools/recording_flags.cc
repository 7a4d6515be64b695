#include "tools/recording_flags.h"

#include <cmath>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/recording/recording_queue.h"
#include "tools/packet_lines.h"

ABSL_FLAG(std::string, record, "", "write packets into this recording");
ABSL_FLAG(std::vector<std::string>, record_streams, {},
          "streams to record, or *; the inputs of the graph without it");
ABSL_FLAG(std::string, record_when_full, "block",
          "when the disk is too slow: block or drop");
ABSL_FLAG(std::string, replay, "", "feed the graph from this recording");
ABSL_FLAG(double, speed, 0, "of --replay: times as fast as it was recorded");
ABSL_FLAG(bool, step, false, "of --replay: wait for Enter at each packet");
ABSL_FLAG(std::string, from, "", "of --replay: the first timestamp");
ABSL_FLAG(std::string, to, "", "of --replay: the last timestamp");

namespace syncline {

const char kRecordingFlagsHelp[] =
    R"(  --record=FILE        write what comes into the graph to a recording
  --record_streams=STREAM,...
                       these streams instead; * for the inputs and all streams
                       whose types can be written
  --record_when_full=block|drop
                       what happens when the disk is too slow: the graph waits,
                       or packets are dropped and counted
  --replay=FILE        feed the graph from a recording, with its side packets;
                       without --graph it is the recorded graph
  --check              of --replay: compare what comes out with the recording,
                       and show the first difference
  --speed=X            of --replay: X times as fast as it was recorded; without
                       it, as fast as can be
  --step               of --replay: show each packet, and wait for Enter before
                       it is sent; the end of standard input ends the replay
  --from=T, --to=T     of --replay: packets of these timestamps only, both
                       included
)";

std::vector<std::string> RecordingFlagNames() {
  return {"record",
          "record_streams",
          "record_when_full",
          "replay",
          "speed",
          "step",
          "from",
          "to"};
}

namespace {

absl::Status Wrong(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

absl::Status CheckNoRecordFlags() {
  if (!absl::GetFlag(FLAGS_record_streams).empty()) {
    return Wrong("--record_streams goes with --record=FILE");
  }
  if (absl::GetFlag(FLAGS_record_when_full) != "block") {
    return Wrong("--record_when_full goes with --record=FILE");
  }
  return absl::OkStatus();
}

absl::Status CheckNoReplayFlags() {
  const std::vector<std::pair<absl::string_view, bool>> given = {
      {"speed", absl::GetFlag(FLAGS_speed) != 0},
      {"step", absl::GetFlag(FLAGS_step)},
      {"from", !absl::GetFlag(FLAGS_from).empty()},
      {"to", !absl::GetFlag(FLAGS_to).empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) return Wrong(absl::StrCat("--", name, " goes with --replay"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RecordingRequest> ReadRecordingFlags(bool check) {
  RecordingRequest request;
  request.record = absl::GetFlag(FLAGS_record);
  request.record_options.streams = absl::GetFlag(FLAGS_record_streams);
  const std::string when_full = absl::GetFlag(FLAGS_record_when_full);
  if (when_full == "drop") {
    request.record_options.when_full = RecordingQueue::WhenFull::kDrop;
  } else if (when_full != "block") {
    return Wrong(absl::StrCat("--record_when_full is block or drop, not \"",
                              absl::Utf8SafeCHexEscape(when_full), "\""));
  }
  request.replay = absl::GetFlag(FLAGS_replay);
  if (request.record.empty()) SYNCLINE_RETURN_IF_ERROR(CheckNoRecordFlags());
  if (request.replay.empty()) {
    SYNCLINE_RETURN_IF_ERROR(CheckNoReplayFlags());
    return request;
  }
  request.compares = check;
  request.steps = absl::GetFlag(FLAGS_step);
  PlayOptions& play = request.play;
  play.speed = absl::GetFlag(FLAGS_speed);
  if (!std::isfinite(play.speed) || play.speed < 0) {
    return Wrong("--speed is a number of 0 or more; 0 is as fast as can be");
  }
  if (request.steps && play.speed != 0) {
    return Wrong("--step waits for Enter and --speed for the time: give one");
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const TimestampRange range,
      ParseTimestampRange(absl::GetFlag(FLAGS_from), absl::GetFlag(FLAGS_to)));
  play.from = range.from;
  play.to = range.to;
  return request;
}

}  // namespace syncline
