// The runs of a CalculatorGraph: their start, their end, and waiting for
// either.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/clock.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/base/steady_time.h"
#include "framework/graph/calculator_graph_members.h"
#include "framework/graph/runtime_info.h"
#include "framework/graph/runtime_info_logger.h"
#include "framework/graph/standstill_watch.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/left_at_end.h"
#include "framework/run/graph_run.h"
#include "framework/run/inside_run.h"
#include "framework/run/preparation/graph_preparation.h"
#include "framework/run/run_life.h"
#include "framework/scheduler/application_thread_executor.h"
#include "glog/logging.h"

namespace syncline {
namespace {

absl::Status WaitsForItself(absl::string_view function) {
  return absl::FailedPreconditionError(absl::StrCat(
      function,
      "() was called from inside of the run that it would wait for, as by an "
      "observer or an error callback: it would wait for itself. Call it from a "
      "thread of the application."));
}

constexpr char kRunFailed[] = "CalculatorGraph::Run() failed: \n";

// A run that is over waits for nothing, whatever is left in it.
bool StandsStill(GraphRun& run) {
  return !run.life().IsFinished() && run.IsIdle();
}

// `stands_still`: say why.
GraphRuntimeInfo RuntimeInfoNow(const GraphRun& run, bool stands_still) {
  GraphRuntimeInfo info =
      MakeRuntimeInfo(run.plan(), run.Snapshot(), run.InputSnapshots(),
                      absl::ToUnixMicros(Clock::RealClock()->TimeNow()));
  if (stands_still)
    info.set_standstill(run.look().WhyItStandsStill(/*is_asked=*/false));
  return info;
}

// A source node of the graph, or null. In the list of sources, nodes come after
// graph inputs.
const PlanNode* SourceNode(const GraphPlan& plan) {
  if (plan.sources().empty() || plan.sources().back().node < 0) return nullptr;
  return &plan.nodes()[plan.sources().back().node];
}

// Null if the graph does not ask for a log.
absl::StatusOr<std::unique_ptr<RuntimeInfoLogger>> LogRuntimeInfo(
    const std::shared_ptr<GraphRun>& run) {
  const GraphRuntimeInfoConfig& config =
      run->plan().GraphFields().runtime_info();
  if (!config.enable_graph_runtime_info()) return nullptr;
  return RuntimeInfoLogger::Start(
      RuntimeInfoLogger::Period(config.capture_period_msec()),
      [run, before = run->Progress() -
                     1]() mutable -> absl::optional<GraphRuntimeInfo> {
        if (run->life().IsFinished()) return absl::nullopt;
        const std::uint64_t progress = run->Progress();
        return RuntimeInfoNow(
            *run, /*stands_still=*/std::exchange(before, progress) == progress);
      });
}

void LogStandstill(const std::string& text) {
  // Each line is an entry of its own, because the log cuts long entries off.
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    LOG(WARNING) << line;
  }
}

// Null if nobody is to be told, or the machine has no thread for it: a run can
// do without.
std::unique_ptr<StandstillWatch> WatchRun(
    const CalculatorGraph::StandstillOptions& options,
    const std::shared_ptr<GraphRun>& run,
    const std::shared_ptr<WaitPoint>& wait_point) {
  if (options.after <= absl::ZeroDuration()) return nullptr;
  StandstillWatch::Settings settings;
  settings.after = options.after;
  settings.tell = options.tell ? options.tell : LogStandstill;
  settings.program_waits = options.program_waits;
  absl::StatusOr<std::unique_ptr<StandstillWatch>> watch =
      StandstillWatch::Start(std::move(settings), run, wait_point);
  if (watch.ok()) return *std::move(watch);
  LOG(WARNING) << watch.status();
  return nullptr;
}

}  // namespace

absl::Status CalculatorGraph::Run(
    const std::map<std::string, Packet>& extra_side_packets) {
  if (members_->plan == nullptr) return NotInitialized();
  if (!members_->plan->graph_inputs().empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "Run() is for graphs without graph inputs, and this one has \"",
        members_->plan->graph_inputs()[0].name,
        "\". Call StartRun(), add packets, CloseAllInputStreams() and "
        "WaitUntilDone()."));
  }
  SYNCLINE_RETURN_IF_ERROR(StartRun(extra_side_packets));
  return WaitUntilDone();
}

absl::Status CalculatorGraph::StartRun(
    const std::map<std::string, Packet>& extra_side_packets,
    const std::map<std::string, Packet>& stream_headers) {
  Members& m = *members_;
  if (m.plan == nullptr) return NotInitialized();
  const bool is_only_one = !m.state.is_starting.exchange(true);
  const absl::Cleanup end = [&] {
    if (is_only_one) m.state.is_starting.store(false);
  };
  if (!is_only_one || m.state.is_started) {
    return absl::FailedPreconditionError(
        "The graph is running already: call WaitUntilDone() before the next "
        "StartRun().");
  }
  return CatchExceptions(
      [&] { return MakeRun(extra_side_packets, stream_headers); });
}

absl::Status CalculatorGraph::MakeRun(
    const std::map<std::string, Packet>& extra_side_packets,
    const std::map<std::string, Packet>& stream_headers) {
  Members& m = *members_;
  GraphRun::Setup setup = m.setup;
  SYNCLINE_ASSIGN_OR_RETURN(
      setup.side_packets,
      PrepareRun(*m.plan, m.side_packets, extra_side_packets, stream_headers,
                 &m.services));
  // Each run has a clock of its own, unless the application gave one.
  if (m.state.has_run && m.given.clock == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(setup.clock, MakeClock(*m.plan));
    m.setup.clock = setup.clock;
    m.tracing.SetClock(setup.clock);
  }
  setup.stream_headers = stream_headers;
  setup.counters = m.counters.get();
  setup.services = &m.services;
  setup.remembered = &m.remembered;
  setup.kept = &m.kept;
  setup.texts.feeders = m.watch.options.feeders;
  setup.texts.program_waits = m.watch.options.program_waits;
  SYNCLINE_RETURN_IF_ERROR(
      m.kept.MakeMissing(*m.plan, m.counters.get(), &m.services));
  m.state.has_run = true;
  auto run = std::make_shared<GraphRun>(std::move(setup));
  if (m.profiler->measures()) SYNCLINE_RETURN_IF_ERROR(StartProfiler());
  SYNCLINE_ASSIGN_OR_RETURN(m.info_logger, LogRuntimeInfo(run));
  m.watch.running = WatchRun(m.watch.options, run, m.setup.wait_point);
  m.state.start_ns.store(SteadyNowNs());
  m.state.end_ns.store(0);
  m.run.Set(run);
  m.state.num_runs.fetch_add(1);
  m.state.is_started = true;
  const absl::Status started = CatchExceptions([&] { run->Start(run); });
  if (started.ok()) return started;
  run->FailToStart(started);
  WaitUntilDone().IgnoreError();
  return started;
}

absl::Status CalculatorGraph::StartProfiler() {
  Members& m = *members_;
  TraceFileHeader header = m.TraceHeader();
  SYNCLINE_ASSIGN_OR_RETURN(
      std::shared_ptr<TraceRecorder> recorder,
      m.tracing.RecordForProfiler(m.profiler->events_per_thread(), header));
  return m.profiler->StartRun(std::move(recorder), std::move(header));
}

absl::Status CalculatorGraph::WaitUntilDone() {
  Members& m = *members_;
  const auto run = m.run.Get();
  if (!run) return NotStarted();
  if (InsideRun::Is(&*run)) return WaitsForItself("WaitUntilDone");
  RunLife& life = run->life();
  life.WaitUntilFinished();
  m.state.NoteEnd();
  if (!life.ClaimEnd()) return life.WaitForResult();
  m.info_logger.reset();
  m.watch.running.reset();
  const absl::Status status = CatchExceptions(
      [&] { return HandleStatusAfterRun(*run, run->CleanUp()); });
  // The run itself does not fail because of what was to be measured.
  const absl::Status profiled =
      CatchExceptions([&] { return m.profiler->EndRun(); });
  if (!profiled.ok()) LOG(ERROR) << "The profiler of the graph: " << profiled;
  m.tracing.RunEnded(status);
  m.state.is_started = false;
  absl::Status result =
      CatchExceptions([&] { return PrefixStatus(kRunFailed, status); });
  life.SetResult(result);
  return result;
}

absl::Status CalculatorGraph::WaitUntilIdle() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  if (InsideRun::Is(&*run)) return WaitsForItself("WaitUntilIdle");
  const PlanNode* const source = SourceNode(run->plan());
  if (source != nullptr && !members_->state.has_warned_of_idle.exchange(true)) {
    LOG(WARNING)
        << "WaitUntilIdle() says little of a graph with sources, such as "
        << NodeLabel(source->config())
        << ": it returns when they happen to have nothing to do, which may be "
           "never. Use WaitUntilDone() to wait until they have ended.";
  }
  run->life().WaitUntilIdle();
  return run->errors().Combined("CalculatorGraph::WaitUntilIdle(): \n");
}

absl::Status CalculatorGraph::WaitForObservedOutput() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  if (InsideRun::Is(&*run)) return WaitsForItself("WaitForObservedOutput");
  return run->WaitForObservedOutput();
}

absl::StatusOr<CalculatorGraph::EpochReport> CalculatorGraph::RunEpoch(
    absl::Duration budget) {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  if (InsideRun::Is(&*run)) return WaitsForItself("RunEpoch");
  if (run->plan().executors()[0].kind != ExecutorKind::kApplicationThread) {
    return absl::FailedPreconditionError(
        "RunEpoch() is for graphs that run on the thread that calls it: with "
        "`scheduler { type: \"EpochScheduler\" }`, or an executor of type "
        "\"ApplicationThreadExecutor\".");
  }
  GraphClock& clock = *run->clock();
  const std::int64_t start_ns = clock.NowNs();
  const std::int64_t budget_ns =
      std::max<std::int64_t>(0, absl::ToInt64Nanoseconds(budget));
  const auto spent_ns = [&] { return clock.NowNs() - start_ns; };
  EpochReport report;
  if (budget_ns == 0) {
    report.tasks = members_->setup.wait_point->RunEachOnce();
  } else {
    report.tasks = members_->setup.wait_point->RunReady(
        [&] { return spent_ns() < budget_ns; });
  }
  report.overrun =
      absl::Nanoseconds(std::max<std::int64_t>(0, spent_ns() - budget_ns));
  report.is_finished = run->life().IsFinished();
  report.next_ns = run->NextTime();
  if (run->has_error()) {
    return run->errors().Combined("CalculatorGraph::RunEpoch(): \n");
  }
  return report;
}

std::vector<LeftAtEnd> CalculatorGraph::GetLeftAtEnd() const {
  const auto run = members_->run.Get();
  return run ? run->life().GetLeftAtEnd() : std::vector<LeftAtEnd>();
}

void CalculatorGraph::Cancel() {
  if (!members_->state.is_started) return;
  const auto run = members_->run.Get();
  if (run) CatchExceptions([&] { run->Cancel(); }).IgnoreError();
}

void CalculatorGraph::Pause() {
  if (!members_->state.is_started) return;
  const auto run = members_->run.Get();
  if (run) run->Pause();
}

void CalculatorGraph::Resume() {
  if (!members_->state.is_started) return;
  const auto run = members_->run.Get();
  if (run) run->Resume();
}

bool CalculatorGraph::HasError() const {
  const auto run = members_->run.Get();
  return members_->state.is_started && run && run->has_error();
}

void CalculatorGraph::RecordError(const absl::Status& error) {
  if (error.ok()) return;
  const auto run = members_->run.Get();
  // Memory may have run out, and the thread may be one without a handler.
  CatchExceptions([&] {
    if (members_->state.is_started && run) return run->RecordError(error);
    LOG(ERROR) << "RecordError() without a run: " << error;
  }).IgnoreError();
}

bool CalculatorGraph::GetCombinedErrors(const std::string& prefix,
                                        absl::Status* status) const {
  const auto run = members_->run.Get();
  *status = run ? run->errors().Combined(prefix) : absl::OkStatus();
  return !status->ok();
}

bool CalculatorGraph::GetCombinedErrors(absl::Status* status) const {
  return GetCombinedErrors("", status);
}

CalculatorGraph::RunProgress CalculatorGraph::GetRunProgress() const {
  const Members& m = *members_;
  const auto run = m.run.Get();
  RunProgress progress;
  progress.number = m.state.num_runs.load();
  if (!run || progress.number == 0) return progress;
  progress.is_over = run->life().IsFinished();
  const std::int64_t end_ns =
      progress.is_over ? m.state.NoteEnd() : SteadyNowNs();
  progress.elapsed = absl::Nanoseconds(
      std::max<std::int64_t>(0, end_ns - m.state.start_ns.load()));
  return progress;
}

absl::StatusOr<GraphRuntimeInfo> CalculatorGraph::GetGraphRuntimeInfo() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  GraphRuntimeInfo info;
  SYNCLINE_RETURN_IF_ERROR(
      CatchExceptions([&] { info = RuntimeInfoNow(*run, StandsStill(*run)); }));
  return info;
}

}  // namespace syncline
