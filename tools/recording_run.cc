#include "tools/recording_run.h"

#include <poll.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/value_text.h"
#include "tools/exit_status.h"
#include "tools/line_reader.h"
#include "tools/packet_lines.h"

namespace syncline {
namespace {

// False once somebody interrupts.
bool WaitUnlessReadable(int fd, absl::Duration duration) {
  pollfd interrupt = {fd, POLLIN, 0};
  const absl::Time end = absl::Now() + duration;
  while (true) {
    // Longer waits are cut into hours; signals end them early.
    const absl::Duration left = std::min(end - absl::Now(), absl::Hours(1));
    if (left <= absl::ZeroDuration()) return true;
    const int ms = static_cast<int>(
        absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
    if (poll(&interrupt, 1, ms) > 0) return false;
  }
}

// Shows packets on standard error and waits for a line on standard input for
// each.
class Stepper {
 public:
  Stepper(const RecordingReader* recording, CalculatorGraph* graph,
          int interrupt_fd)
      : recording_(*recording), graph_(*graph) {
    lines_.set_interrupt_fd(interrupt_fd);
  }

  absl::Status Open() { return lines_.OpenStandardInput(); }

  // False: the graph has ended, standard input has, or somebody interrupts.
  bool Ask(const RecordedEvent& event, const Packet& packet,
           const std::function<void()>& when_idle) {
    // What came before has had its effects.
    if (!graph_.WaitUntilIdle().ok()) return false;
    when_idle();
    std::cerr << recording_.header().streams[event.stream].name << " "
              << TimestampText(event.timestamp) << " " << ValueText(packet)
              << std::endl;
    return lines_.Next(&line_).value_or(false);
  }

 private:
  const RecordingReader& recording_;
  CalculatorGraph& graph_;
  LineReader lines_;
  std::string line_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RecordingRun>> RecordingRun::Open(
    RecordingRequest request) {
  std::unique_ptr<RecordingRun> run(new RecordingRun(std::move(request)));
  if (run->request_.replay.empty()) return run;
  SYNCLINE_ASSIGN_OR_RETURN(run->replay_,
                            RecordingReader::Open(run->request_.replay));
  return run;
}

absl::Status RecordingRun::AddUses(FileUses* uses) const {
  return request_.record.empty()
             ? absl::OkStatus()
             : uses->AddWritten("--record", request_.record);
}

absl::Status RecordingRun::Attach(CalculatorGraph* graph) {
  if (replay_ != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(CheckFits(*replay_, graph->plan()));
  }
  if (request_.compares) {
    RecordingRange range;
    range.from = request_.play.from;
    range.to = request_.play.to;
    SYNCLINE_ASSIGN_OR_RETURN(
        check_, ReplayCheck::Create(graph, replay_->path(), range));
  }
  if (request_.record.empty()) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(
      recorder_,
      GraphRecorder::Create(graph, request_.record, request_.record_options));
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

absl::Status RecordingRun::Feed(CalculatorGraph* graph, int interrupt_fd,
                                const std::function<void()>& when_idle) {
  if (replay_ == nullptr) return absl::OkStatus();
  PlayOptions options = request_.play;
  options.wait = [this, interrupt_fd](absl::Duration duration) {
    was_stopped_ = !WaitUnlessReadable(interrupt_fd, duration);
    return !was_stopped_;
  };
  Stepper stepper(replay_.get(), graph, interrupt_fd);
  if (request_.steps) {
    SYNCLINE_RETURN_IF_ERROR(stepper.Open());
    options.before_packet = [&](const RecordedEvent& event,
                                const Packet& packet) {
      was_stopped_ = !stepper.Ask(event, packet, when_idle);
      return !was_stopped_;
    };
  }
  return PlayRecording(*replay_, graph, options);
}

absl::Status RecordingRun::Finish(const absl::Status& run,
                                  bool was_interrupted) {
  absl::Status status = run;
  was_stopped_ |= was_interrupted && replay_ != nullptr;
  if (recorder_ != nullptr) {
    // Not all that was sent had its effects.
    status.Update(
        recorder_->Finish(was_interrupted && run.ok()
                              ? absl::CancelledError("the run was interrupted")
                              : run));
  }
  if (check_ != nullptr && status.ok() && !was_stopped_) {
    status = check_->Finish();
  }
  return status;
}

std::vector<std::string> RecordingRun::Summary() const {
  std::vector<std::string> lines;
  if (recorder_ != nullptr) {
    const GraphRecorder::Counts counts = recorder_->counts();
    lines.push_back(absl::StrCat(
        "recorded ", counts.packets, " packets of ",
        recorder_->streams().size(), " streams to ", ShownName(request_.record),
        counts.dropped == 0 ? ""
                            : absl::StrCat("; dropped ", counts.dropped,
                                           ", as the disk was too slow"),
        counts.waits == 0
            ? ""
            : absl::StrCat("; waited ", counts.waits, " times for the disk")));
  }
  if (replay_ != nullptr && !replay_->ended().has_value()) {
    lines.push_back(absl::StrCat(ShownName(replay_->path()),
                                 " was cut short: it holds what had been "
                                 "committed by then"));
  } else if (replay_ != nullptr && *replay_->ended() != "OK") {
    lines.push_back(absl::StrCat(
        ShownName(replay_->path()),
        " is of a run that did not end well: ", *replay_->ended()));
  }
  if (was_stopped_) {
    lines.push_back(
        absl::StrCat("the replay was ended before the recording was",
                     check_ == nullptr ? "" : ", so nothing was compared"));
  } else if (check_ != nullptr) {
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
