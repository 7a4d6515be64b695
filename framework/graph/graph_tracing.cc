#include "framework/graph/graph_tracing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "framework/base/status_macros.h"
#include "framework/trace/file_beside.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// More events, of more threads, than any machine has memory for.
constexpr std::size_t kMostEvents = std::size_t{1} << 26;

absl::Status WriteTraceTo(const Trace& trace, const std::string& path) {
  TraceAppender file;
  SYNCLINE_RETURN_IF_ERROR(file.Open(path, trace.header));
  Trace begin;
  begin.clock_points = {trace.clock_points.front()};
  SYNCLINE_RETURN_IF_ERROR(file.Append(begin));
  SYNCLINE_RETURN_IF_ERROR(file.Append(trace));
  return file.Close(trace.num_lost_elsewhere);
}

// The file has its name once it is whole, as the signal of a crash may come
// meanwhile. On a full disk an older one stays, which is better than none;
// where there is none, a part is better than nothing.
absl::Status WriteTrace(const Trace& trace, const std::string& path) {
  struct stat about = {};
  const bool is_there = lstat(path.c_str(), &about) == 0;
  // What is no file is refused by its own name, and so is a folder that cannot
  // have one.
  if (is_there && !S_ISREG(about.st_mode)) return WriteTraceTo(trace, path);
  const absl::StatusOr<std::string> made = MakeFileBeside(path);
  if (!made.ok()) return is_there ? made.status() : WriteTraceTo(trace, path);
  const std::string& beside = *made;
  absl::Status written = WriteTraceTo(trace, beside);
  if (!written.ok()) {
    written =
        absl::Status(written.code(),
                     absl::StrReplaceAll(written.message(), {{beside, path}}));
  }
  if (!written.ok() && is_there) {
    unlink(beside.c_str());
    return absl::Status(
        written.code(),
        absl::StrCat(written.message(), "; \"", path, "\" is an older one"));
  }
  if (std::rename(beside.c_str(), path.c_str()) == 0) return written;
  const int error = errno;
  unlink(beside.c_str());
  return absl::ErrnoToStatus(
      error, absl::StrCat("The trace \"", path, "\" cannot be replaced"));
}

}  // namespace

TraceFileHeader MakeTraceHeader(const GraphPlan& plan,
                                const std::vector<int>& observed) {
  TraceFileHeader header;
  header.set_program(program_invocation_short_name);
  header.set_pid(getpid());
  for (const PlanNode& node : plan.nodes()) {
    TraceFileHeader::Node* const to = header.add_node();
    to->set_name(std::string(node.name));
    to->set_calculator(std::string(node.type));
    to->set_executor(node.executor);
    for (const PlanInput& input : node.inputs) {
      to->add_input_stream(input.stream);
      to->add_input_is_back_edge(input.back_edge);
    }
    for (const PlanOutput& output : node.outputs) {
      to->add_output_stream(output.stream);
    }
  }
  for (const PlanStream& stream : plan.streams()) {
    TraceFileHeader::Stream* const to = header.add_stream();
    to->set_name(std::string(stream.name));
    to->set_producer(stream.producer.node);
  }
  for (const int stream : observed) {
    header.mutable_stream(stream)->set_is_observed(true);
  }
  for (const PlanGraphOutput& output : plan.graph_outputs()) {
    if (output.stream < 0) continue;
    header.mutable_stream(output.stream)->set_is_graph_output(true);
  }
  for (const PlanExecutor& executor : plan.executors()) {
    header.add_executor(executor.name);
  }
  *header.mutable_config() = plan.Config();
  return header;
}

void GraphTracing::SetClock(std::shared_ptr<GraphClock> clock) {
  MutexLock lock(&mutex_);
  clocks_->current.store(clock.get());
  clocks_->all.push_back(std::move(clock));
}

absl::Status GraphTracing::EnsureRecorder(std::size_t events_per_thread,
                                          bool in_graph_time) {
  if (events_per_thread == 0 || events_per_thread > kMostEvents) {
    return absl::InvalidArgumentError(
        absl::StrCat("events_per_thread is ", events_per_thread,
                     ", and has to be from 1 to ", kMostEvents, "."));
  }
  // Who reads a recorder, or has its last events, goes on with it.
  const bool is_read = writer_ != nullptr || profiles_;
  const bool is_kept = is_read || flight_.has_value();
  if (is_read && made_.is_in_graph_time != in_graph_time) {
    return absl::FailedPreconditionError(
        "Something else traces the graph by another clock: one of them has to "
        "go, the trace in graph time or the other one.");
  }
  if (made_.recorder == nullptr || made_.is_in_graph_time != in_graph_time ||
      (!is_kept && made_.events_per_thread < events_per_thread)) {
    Made found = FindRecorder(events_per_thread, in_graph_time);
    if (flight_.has_value()) {
      SYNCLINE_ASSIGN_OR_RETURN(flight_->dump, InstallDump(found.recorder));
    }
    if (made_.recorder != nullptr) others_.push_back(std::move(made_));
    made_ = std::move(found);
  }
  switch_->TurnOn(made_.recorder);
  return absl::OkStatus();
}

GraphTracing::Made GraphTracing::FindRecorder(std::size_t events_per_thread,
                                              bool in_graph_time) {
  const auto used =
      std::find_if(others_.begin(), others_.end(), [&](const Made& other) {
        return other.is_in_graph_time == in_graph_time &&
               other.events_per_thread >= events_per_thread;
      });
  if (used != others_.end()) {
    Made found = std::move(*used);
    others_.erase(used);
    return found;
  }
  TraceRecorder::Options options{.events_per_lane = events_per_thread};
  if (in_graph_time) {
    options.now_ns = [clocks = clocks_] {
      GraphClock* const clock = clocks->current.load();
      return clock == nullptr ? 0 : static_cast<std::uint64_t>(clock->NowNs());
    };
  }
  return {std::make_shared<TraceRecorder>(std::move(options)),
          events_per_thread, in_graph_time};
}

void GraphTracing::TurnOffIfUnused() {
  if (profiles_ || flight_.has_value() || writer_ != nullptr) return;
  switch_->TurnOff();
}

absl::StatusOr<std::unique_ptr<FatalSignalDump>> GraphTracing::InstallDump(
    const std::shared_ptr<TraceRecorder>& recorder) const {
  if (flight_->options.path.empty()) return nullptr;
  return FatalSignalDump::Install(recorder, header_, flight_->options.path);
}

absl::Status GraphTracing::EnableFlightRecorder(
    const FlightRecorderOptions& options, const TraceFileHeader& header) {
  MutexLock lock(&mutex_);
  if (flight_.has_value()) {
    return absl::AlreadyExistsError("The flight recorder is on already.");
  }
  header_ = header;
  SYNCLINE_RETURN_IF_ERROR(
      EnsureRecorder(options.events_per_thread, made_.is_in_graph_time));
  flight_.emplace();
  flight_->options = options;
  absl::StatusOr<std::unique_ptr<FatalSignalDump>> dump =
      InstallDump(made_.recorder);
  if (dump.ok()) {
    flight_->dump = *std::move(dump);
  } else {
    flight_.reset();
    TurnOffIfUnused();
  }
  return dump.status();
}

absl::StatusOr<std::shared_ptr<TraceRecorder>> GraphTracing::RecordForProfiler(
    std::size_t events_per_thread, const TraceFileHeader& header) {
  MutexLock lock(&mutex_);
  header_ = header;
  SYNCLINE_RETURN_IF_ERROR(
      EnsureRecorder(events_per_thread, made_.is_in_graph_time));
  profiles_ = true;
  return made_.recorder;
}

Trace GraphTracing::TakeTrace() const {
  std::shared_ptr<TraceRecorder> recorder;
  TraceFileHeader header;
  {
    MutexLock lock(&mutex_);
    recorder = made_.recorder;
    header = header_;
  }
  if (recorder != nullptr) return recorder->Take(header);
  Trace none;
  none.clock_points.resize(1);
  return none;
}

Trace GraphTracing::TakeTrace(TraceCursor* cursor) const {
  std::shared_ptr<TraceRecorder> recorder;
  TraceFileHeader header;
  {
    MutexLock lock(&mutex_);
    recorder = made_.recorder;
    if (recorder != cursor->recorder) header = header_;
  }
  if (recorder == nullptr) {
    Trace none;
    none.clock_points.resize(1);
    return none;
  }
  if (recorder != cursor->recorder) {
    cursor->recorder = recorder;
    cursor->position = {.most_of_lane = cursor->position.most_of_lane};
  }
  return recorder->Take(header, &cursor->position,
                        TraceRecorder::Extent::kUntilNow);
}

absl::Status GraphTracing::WriteFlightRecorder(const std::string& path) const {
  {
    MutexLock lock(&mutex_);
    if (!flight_.has_value()) {
      return absl::FailedPreconditionError(
          "The flight recorder is off: call EnableFlightRecorder() before the "
          "run.");
    }
  }
  return WriteTrace(TakeTrace(), path);
}

absl::Status GraphTracing::StartTrace(const std::string& path,
                                      const TraceOptions& options,
                                      const TraceFileHeader& header) {
  MutexLock lock(&mutex_);
  if (writer_ != nullptr) {
    return absl::AlreadyExistsError(
        "A trace is being written already: call StopTrace() first.");
  }
  header_ = header;
  SYNCLINE_RETURN_IF_ERROR(
      EnsureRecorder(options.events_per_thread, options.in_graph_time));
  absl::StatusOr<std::unique_ptr<TraceWriter>> writer =
      TraceWriter::Start(made_.recorder, header, path);
  if (writer.ok()) writer_ = *std::move(writer);
  TurnOffIfUnused();
  return writer.status();
}

absl::Status GraphTracing::StopTrace(std::int64_t* num_lost) {
  std::unique_ptr<TraceWriter> writer;
  {
    MutexLock lock(&mutex_);
    writer = std::move(writer_);
    TurnOffIfUnused();
  }
  if (writer == nullptr) return absl::OkStatus();
  const absl::Status status = writer->Stop();
  if (num_lost != nullptr) *num_lost = writer->num_lost();
  return status;
}

void GraphTracing::RunEnded(const absl::Status& status) {
  std::string path;
  {
    MutexLock lock(&mutex_);
    // A run that was cancelled has nothing to tell.
    if (status.ok() || absl::IsCancelled(status)) return;
    if (!flight_.has_value() || !flight_->options.writes_after_errors ||
        flight_->options.path.empty()) {
      return;
    }
    path = flight_->options.path;
  }
  const absl::Status written = WriteFlightRecorder(path);
  if (written.ok()) {
    LOG(INFO) << "The last events of the run are in \"" << path << "\".";
  } else {
    LOG(WARNING) << "The last events of the run are lost: " << written;
  }
}

}  // namespace syncline
