#include "tools/recording_run.h"

#include <poll.h>

#include <iostream>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/event_queue.h"
#include "framework/recording/value_text.h"
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
  --step               of --replay: wait for Enter before each packet
  --from=T, --to=T     of --replay: packets of these timestamps only
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

absl::StatusOr<Timestamp> TimestampFlag(absl::string_view name,
                                        const std::string& text) {
  if (text.empty()) return Timestamp::Unset();
  absl::StatusOr<Timestamp> timestamp = ParseTimestamp(text);
  if (timestamp.ok()) return timestamp;
  return Wrong(absl::StrCat("--", name, ": ", timestamp.status().message()));
}

// Of --replay, and given without it.
absl::Status CheckNoReplayFlags() {
  const bool any =
      absl::GetFlag(FLAGS_speed) != 0 || absl::GetFlag(FLAGS_step) ||
      !absl::GetFlag(FLAGS_from).empty() || !absl::GetFlag(FLAGS_to).empty();
  if (!any) return absl::OkStatus();
  return Wrong("--speed, --step, --from and --to go with --replay=FILE");
}

// False once somebody interrupts.
bool WaitUnlessReadable(int fd, absl::Duration duration) {
  pollfd interrupt = {fd, POLLIN, 0};
  // Longer waits are cut into hours.
  while (duration > absl::ZeroDuration()) {
    const absl::Duration part = std::min(duration, absl::Hours(1));
    const int ms = static_cast<int>(
        absl::ToInt64Milliseconds(absl::Ceil(part, absl::Milliseconds(1))));
    if (poll(&interrupt, 1, ms) > 0) return false;
    duration -= part;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordingRun>> RecordingRun::Open(
    bool compares) {
  std::unique_ptr<RecordingRun> run(new RecordingRun);
  run->record_path_ = absl::GetFlag(FLAGS_record);
  run->record_options_.streams = absl::GetFlag(FLAGS_record_streams);
  if (run->record_path_.empty() && !run->record_options_.streams.empty()) {
    return Wrong("--record_streams goes with --record=FILE");
  }
  const std::string when_full = absl::GetFlag(FLAGS_record_when_full);
  if (when_full == "drop") {
    run->record_options_.when_full = RecordingQueue::WhenFull::kDrop;
  } else if (when_full != "block") {
    return Wrong("--record_when_full is block or drop");
  }
  const std::string replay = absl::GetFlag(FLAGS_replay);
  if (replay.empty()) {
    SYNCLINE_RETURN_IF_ERROR(CheckNoReplayFlags());
    return run;
  }
  run->compares_ = compares;
  run->steps_ = absl::GetFlag(FLAGS_step);
  run->play_.speed = absl::GetFlag(FLAGS_speed);
  if (!(run->play_.speed >= 0)) return Wrong("--speed is 0 or more");
  SYNCLINE_ASSIGN_OR_RETURN(run->play_.from,
                            TimestampFlag("from", absl::GetFlag(FLAGS_from)));
  SYNCLINE_ASSIGN_OR_RETURN(run->play_.to,
                            TimestampFlag("to", absl::GetFlag(FLAGS_to)));
  SYNCLINE_ASSIGN_OR_RETURN(run->replay_, RecordingReader::Open(replay));
  return run;
}

absl::Status RecordingRun::Attach(CalculatorGraph* graph) {
  if (replay_ != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(CheckFits(*replay_, graph->plan()));
  }
  if (compares_) {
    RecordingRange range;
    range.from = play_.from;
    range.to = play_.to;
    SYNCLINE_ASSIGN_OR_RETURN(
        check_, ReplayCheck::Create(graph, replay_->path(), range));
  }
  if (record_path_.empty()) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(
      recorder_, GraphRecorder::Create(graph, record_path_, record_options_));
  return absl::OkStatus();
}

absl::StatusOr<std::map<std::string, Packet>> RecordingRun::StreamHeaders()
    const {
  if (replay_ == nullptr) return std::map<std::string, Packet>();
  return RecordedHeaders(*replay_);
}

absl::Status RecordingRun::Start(
    const std::map<std::string, Packet>& side_packets,
    const std::map<std::string, Packet>& stream_headers) {
  return recorder_ == nullptr ? absl::OkStatus()
                              : recorder_->Start(side_packets, stream_headers);
}

bool RecordingRun::Step(CalculatorGraph* graph, const RecordedEvent& event,
                        const Packet& packet) const {
  // What came before has had its effects.
  if (!graph->WaitUntilIdle().ok()) return false;
  std::cerr << replay_->header().streams[event.stream].name << " "
            << TimestampText(event.timestamp) << " " << ValueText(packet)
            << "\n";
  std::string line;
  return static_cast<bool>(std::getline(std::cin, line));
}

absl::Status RecordingRun::Feed(CalculatorGraph* graph, int interrupt_fd) {
  if (replay_ == nullptr) return absl::OkStatus();
  PlayOptions options = play_;
  options.wait = [interrupt_fd](absl::Duration duration) {
    return WaitUnlessReadable(interrupt_fd, duration);
  };
  if (steps_) {
    options.before_packet = [this, graph](const RecordedEvent& event,
                                          const Packet& packet) {
      return Step(graph, event, packet);
    };
  }
  return PlayRecording(*replay_, graph, options);
}

absl::Status RecordingRun::Finish(const absl::Status& run) {
  absl::Status status = run;
  if (recorder_ != nullptr) status.Update(recorder_->Finish(run));
  if (check_ != nullptr && status.ok()) status = check_->Finish();
  return status;
}

std::vector<std::string> RecordingRun::Summary() const {
  std::vector<std::string> lines;
  if (recorder_ != nullptr) {
    const GraphRecorder::Counts counts = recorder_->counts();
    lines.push_back(absl::StrCat(
        "recorded ", counts.packets, " packets of ",
        recorder_->streams().size(), " streams to ", record_path_,
        counts.dropped == 0 ? ""
                            : absl::StrCat("; dropped ", counts.dropped,
                                           ", as the disk was too slow"),
        counts.waits == 0
            ? ""
            : absl::StrCat("; waited ", counts.waits, " times for the disk")));
  }
  if (replay_ != nullptr && !replay_->ended().has_value()) {
    lines.push_back(absl::StrCat(replay_->path(),
                                 " was cut short: it holds what had been "
                                 "committed by then"));
  }
  if (check_ != nullptr) {
    lines.push_back(absl::StrCat(
        check_->packets(), " packets are the same as in the recording",
        check_->skipped() == 0
            ? ""
            : absl::StrCat("; ", check_->skipped(),
                           " more are not in it, as the disk was too slow")));
  }
  return lines;
}

}  // namespace syncline
