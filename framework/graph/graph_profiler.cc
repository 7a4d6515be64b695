#include "framework/graph/graph_profiler.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/steady_time.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr std::int64_t kLookEveryNs = 5'000'000;
// For histograms all events are read, and in pieces that are worth it.
constexpr std::int64_t kEventsForHistograms = std::int64_t{1} << 16;
// A call of MediaPipe's is one or two events; here it is four or five.
constexpr std::int64_t kEventsOfOne = 4;
constexpr std::int64_t kMostProfiledEvents = std::int64_t{1} << 24;
constexpr std::int64_t kDefaultIntervalUs = 500'000;

}  // namespace

absl::StatusOr<std::unique_ptr<GraphProfiler>> GraphProfiler::Create(
    const ProfilerConfig& config) {
  SYNCLINE_ASSIGN_OR_RETURN(GraphProfileOptions options,
                            ReadProfilerConfig(config));
  return std::unique_ptr<GraphProfiler>(
      new GraphProfiler(config, std::move(options)));
}

GraphProfiler::GraphProfiler(const ProfilerConfig& config,
                             GraphProfileOptions options)
    : config_(config), options_(std::move(options)) {}

GraphProfiler::~GraphProfiler() { thread_.Stop(); }

std::size_t GraphProfiler::events_per_thread() const {
  return static_cast<std::size_t>(std::clamp(
      options_.most_events * kEventsOfOne,
      config_.enable_profiler() ? kEventsForHistograms : std::int64_t{1},
      kMostProfiledEvents));
}

std::int64_t GraphProfiler::IntervalNs() const {
  constexpr std::int64_t kMostUs = std::int64_t{1} << 40;
  const std::int64_t interval_us = config_.trace_log_interval_usec();
  return 1000 * (interval_us == 0 ? kDefaultIntervalUs
                                  : std::min(interval_us, kMostUs));
}

// --- Runs

std::unique_ptr<GraphProfileBuilder> GraphProfiler::MakeBuilder(
    const TraceFileHeader& header, bool has_events) const {
  GraphProfileOptions options = options_;
  options.has_events = has_events;
  options.has_histograms = !has_events;
  return std::make_unique<GraphProfileBuilder>(header, std::move(options));
}

absl::Status GraphProfiler::StartRun(
    std::shared_ptr<const TraceRecorder> recorder, TraceFileHeader header) {
  {
    MutexLock files_lock(&files_mutex_);
    MutexLock lock(&mutex_);
    files_.reset();
    if (writes_files()) {
      SYNCLINE_ASSIGN_OR_RETURN(files_, ProfileFiles::Make(config_));
    }
    Run& run = run_.emplace();
    run.recorder = std::move(recorder);
    run.names = header;
    run.names.clear_config();
    run.header = std::move(header);
    // What was before this run is not of it.
    run.recorder->Take(TraceFileHeader(), &run.events_position);
    run.histograms_position = run.events_position;
    if (config_.enable_profiler()) {
      run.histograms = MakeBuilder(run.header, /*has_events=*/false);
      run.histograms_position.is_of_reader = true;
      run.recorder->SetReader(this);
    }
    if (config_.trace_enabled()) {
      run.events = MakeBuilder(run.header, /*has_events=*/true);
    }
    run.next_write_ns = SteadyNowNs() + IntervalNs();
  }
  Look();
  return absl::OkStatus();
}

absl::Status GraphProfiler::WriteLast() {
  SYNCLINE_RETURN_IF_ERROR(ReadHistograms());
  if (!files_.has_value()) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(GraphProfile profile,
                            Capture(GraphProfileBuilder::kLast));
  return files_->Write(std::move(profile));
}

absl::Status GraphProfiler::EndRun() {
  {
    // Else the alarm could be set again and again while it is cancelled.
    MutexLock lock(&mutex_);
    if (run_.has_value()) run_->has_ended = true;
  }
  alarm_.Cancel();
  MutexLock files_lock(&files_mutex_);
  MutexLock lock(&mutex_);
  if (!run_.has_value()) return absl::OkStatus();
  run_->recorder->SetReader(nullptr);
  run_->first_error.Update(WriteLast());
  if (run_->num_lost > 0) {
    LOG(WARNING) << "The histograms of the profiler have not all calls: "
                 << run_->num_lost
                 << " events of the run came faster than they were counted.";
  }
  if (files_.has_value() && run_->events != nullptr &&
      run_->events->num_left_out() > 0) {
    LOG(INFO) << "The files of the profiler have not "
              << run_->events->num_left_out()
              << " older events, as trace_log_capacity is "
              << options_.most_events << ".";
  }
  if (files_.has_value() && files_->num_failed() > 0) {
    const std::int64_t parts = files_->num_failed();
    LOG(WARNING) << parts << (parts == 1 ? " part" : " parts")
                 << " of the trace could not be written, and "
                 << (parts == 1 ? "is" : "are") << " lost.";
  }
  files_.reset();
  return run_->first_error;
}

absl::Status GraphProfiler::status() const {
  MutexLock lock(&mutex_);
  return run_.has_value() ? run_->first_error : absl::OkStatus();
}

void GraphProfiler::Look() {
  std::int64_t next_ns = -1;
  absl::Status status = CatchExceptions([&] { next_ns = LookOnce(); });
  // Nothing has to be looked at again and again.
  if (status.ok() && next_ns < 0) return;
  if (status.ok()) status = alarm_.SetAt(next_ns);
  if (!status.ok()) LOG(WARNING) << "The profiler stops: " << status;
}

void GraphProfiler::ReadNow() {
  const absl::Status status = CatchExceptions([this] {
    MutexLock lock(&mutex_);
    if (run_.has_value()) run_->first_error.Update(ReadHistograms());
  });
  if (!status.ok()) LOG(WARNING) << "The profiler misses calls: " << status;
}

std::int64_t GraphProfiler::LookOnce() {
  constexpr std::int64_t kNever = -1;
  MutexLock files_lock(&files_mutex_);
  bool is_due = false;
  {
    MutexLock lock(&mutex_);
    if (!run_.has_value() || run_->has_ended || is_paused_) return kNever;
    run_->first_error.Update(ReadHistograms());
    is_due = writes_now_and_then() && SteadyNowNs() >= run_->next_write_ns;
  }
  const std::int64_t begin_ns = SteadyNowNs();
  const absl::Status written =
      is_due ? Write(GraphProfileBuilder::kMoreFollows) : absl::OkStatus();
  MutexLock lock(&mutex_);
  run_->first_error.Update(written);
  if (is_due) {
    const std::int64_t now_ns = SteadyNowNs();
    run_->next_write_ns = std::max(run_->next_write_ns + IntervalNs(),
                                   now_ns + (now_ns - begin_ns));
  }
  if (run_->histograms != nullptr) return SteadyNowNs() + kLookEveryNs;
  return writes_now_and_then() ? run_->next_write_ns : kNever;
}

// --- Reading

// What a thread notes while others are read would be told before what it
// follows from. Nothing is noted after the end.
TraceRecorder::Extent GraphProfiler::ExtentNow() const {
  return run_->has_ended ? TraceRecorder::Extent::kAll
                         : TraceRecorder::Extent::kUntilNow;
}

absl::Status GraphProfiler::ReadHistograms() {
  if (run_->histograms == nullptr || is_paused_) return absl::OkStatus();
  const Trace part = run_->recorder->Take(
      run_->names, &run_->histograms_position, ExtentNow());
  run_->num_lost += part.num_lost();
  return run_->histograms->Add(part);
}

absl::Status GraphProfiler::ReadEvents() {
  if (run_->events == nullptr || is_paused_) return absl::OkStatus();
  return run_->events->Add(
      run_->recorder->Take(run_->names, &run_->events_position, ExtentNow()));
}

absl::StatusOr<GraphProfile> GraphProfiler::Capture(Part part) {
  GraphProfile profile;
  if (run_->events != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(ReadEvents());
    profile = run_->events->Capture(part);
  }
  if (run_->histograms != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(ReadHistograms());
    GraphProfile histograms = run_->histograms->Capture(part);
    profile.mutable_calculator_profiles()->Swap(
        histograms.mutable_calculator_profiles());
    if (run_->events == nullptr) {
      *profile.mutable_config() = histograms.config();
    }
  }
  return profile;
}

absl::Status GraphProfiler::Write(Part part) {
  absl::StatusOr<GraphProfile> profile;
  {
    MutexLock lock(&mutex_);
    profile = Capture(part);
  }
  // Without the lock for which threads of the run may wait.
  return profile.ok() ? files_->Write(*std::move(profile)) : profile.status();
}

// --- ProfilingContext

void GraphProfiler::Pause() {
  MutexLock lock(&mutex_);
  if (is_paused_) return;
  if (run_.has_value()) {
    run_->first_error.Update(ReadHistograms());
    run_->first_error.Update(ReadEvents());
  }
  is_paused_ = true;
}

void GraphProfiler::Resume() {
  {
    MutexLock lock(&mutex_);
    if (!is_paused_) return;
    is_paused_ = false;
    if (!run_.has_value() || run_->has_ended) return;
    run_->recorder->Take(TraceFileHeader(), &run_->events_position);
    run_->histograms_position.lanes = run_->events_position.lanes;
  }
  Look();
}

void GraphProfiler::Reset() {
  MutexLock lock(&mutex_);
  if (!run_.has_value() || run_->histograms == nullptr) return;
  run_->first_error.Update(ReadHistograms());
  run_->histograms->ResetHistograms();
}

absl::Status GraphProfiler::GetCalculatorProfiles(
    std::vector<CalculatorProfile>* profiles) {
  MutexLock lock(&mutex_);
  profiles->clear();
  if (!run_.has_value() || run_->histograms == nullptr) return absl::OkStatus();
  if (!is_paused_) SYNCLINE_RETURN_IF_ERROR(ReadHistograms());
  *profiles = run_->histograms->Profiles();
  return absl::OkStatus();
}

absl::Status GraphProfiler::CaptureProfile(GraphProfile* result,
                                           PopulateGraphConfig config) {
  MutexLock lock(&mutex_);
  result->Clear();
  if (!run_.has_value()) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(*result,
                            Capture(GraphProfileBuilder::kMoreFollows));
  if (config == PopulateGraphConfig::kNo && run_->has_captured) {
    KeepEventsOnly(result);
  }
  run_->has_captured = true;
  return absl::OkStatus();
}

absl::Status GraphProfiler::WriteProfile() {
  MutexLock files_lock(&files_mutex_);
  if (!files_.has_value()) return absl::OkStatus();
  return Write(GraphProfileBuilder::kMoreFollows);
}

}  // namespace syncline
