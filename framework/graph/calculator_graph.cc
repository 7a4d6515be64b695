#include "framework/graph/calculator_graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/service.h"
#include "framework/graph/calculator_graph_members.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/node_wait.h"
#include "framework/report/standstill.h"
#include "framework/run/graph_run.h"
#include "framework/run/output_tap.h"
#include "framework/run/preparation/check_handlers.h"
#include "framework/run/preparation/graph_preparation.h"
#include "framework/run/run_life.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/stream/packet_peek.h"
#include "glog/logging.h"

namespace syncline {

// --- Making and ending

CalculatorGraph::CalculatorGraph() : members_(std::make_unique<Members>()) {}

CalculatorGraph::CalculatorGraph(CalculatorGraphConfig config)
    : CalculatorGraph() {
  const absl::Status status = Initialize(std::move(config));
  if (!status.ok()) ReportMisuse(status);
}

CalculatorGraph::CalculatorGraph(CalculatorContext* cc) : CalculatorGraph() {
  const GraphServiceManager* const outer = cc->environment().services();
  if (outer != nullptr) members_->services = *outer;
  members_->services.DisallowDefaultInitialization();
}

CalculatorGraph::~CalculatorGraph() {
  if (members_->state.is_started) {
    Cancel();
    const absl::Status status = WaitUntilDone();
    LOG_IF(FATAL, status.code() == absl::StatusCode::kFailedPrecondition &&
                      members_->state.is_started)
        << "A CalculatorGraph is destroyed by a call of its own run: "
        << status;
    VLOG(1) << "A running graph was destroyed: " << status;
  }
  for (const std::shared_ptr<OutputTap>& tap : members_->setup.taps)
    tap->EndRun();
  members_->run.Clear();
  const absl::Status traced = members_->tracing.StopTrace(nullptr);
  if (!traced.ok()) LOG(WARNING) << traced;
}

// --- Initialize

absl::Status CalculatorGraph::Initialize(
    CalculatorGraphConfig config,
    const std::map<std::string, Packet>& side_packets) {
  if (members_->plan != nullptr) return Initialize(GraphPlan(*members_->plan));
  return CatchExceptions([&]() -> absl::Status {
    CompileOptions options;
    options.side_packets = &side_packets;
    options.services = &members_->services;
    SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan,
                              Compile(std::move(config), options));
    return Initialize(std::move(plan), side_packets);
  });
}

absl::Status CalculatorGraph::Initialize(
    const std::vector<CalculatorGraphConfig>& configs,
    const std::vector<CalculatorGraphTemplate>& templates,
    const std::map<std::string, Packet>& side_packets,
    const std::string& graph_type, const CalculatorGraphConfig::Node* node) {
  if (members_->plan != nullptr) return Initialize(GraphPlan(*members_->plan));
  return CatchExceptions([&]() -> absl::Status {
    CompileOptions options;
    options.side_packets = &side_packets;
    options.services = &members_->services;
    options.graph_type = graph_type;
    options.graph_options = node;
    std::vector<GraphSource> sources;
    for (const CalculatorGraphConfig& config : configs) {
      sources.push_back({.config = config, .positions = nullptr});
    }
    SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan,
                              Compile(std::move(sources), templates, options));
    return Initialize(std::move(plan), side_packets);
  });
}

absl::Status CalculatorGraph::Initialize(
    GraphPlan plan, const std::map<std::string, Packet>& side_packets) {
  if (members_->plan != nullptr) {
    return absl::FailedPreconditionError(
        "The graph is initialized already. A graph is initialized once, and "
        "may then have any number of runs.");
  }
  return CatchExceptions(
      [&] { return TakePlan(std::move(plan), side_packets); });
}

absl::Status CalculatorGraph::TakePlan(
    GraphPlan plan, const std::map<std::string, Packet>& side_packets) {
  SYNCLINE_RETURN_IF_ERROR(
      plan.CheckSidePackets(side_packets, /*complete=*/false));
  SYNCLINE_ASSIGN_OR_RETURN(members_->setup.policies, FindPolicies(plan));
  if (members_->setup.chooser != nullptr) {
    members_->setup.executors.assign(
        plan.executors().size(), std::make_shared<ApplicationThreadExecutor>(
                                     members_->setup.wait_point));
  } else {
    SYNCLINE_ASSIGN_OR_RETURN(members_->setup.executors,
                              MakeExecutors(plan, members_->given.executors,
                                            members_->setup.wait_point));
  }
  SYNCLINE_ASSIGN_OR_RETURN(members_->setup.allocators, MakeAllocators(plan));
  members_->setup.clock = members_->given.clock;
  if (members_->setup.clock == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(members_->setup.clock, MakeClock(plan));
  }
  members_->side_packets = side_packets;
  members_->setup.input_limits.packets.resize(plan.graph_inputs().size(), 0);
  members_->setup.input_limits.bytes.resize(plan.graph_inputs().size(), 0);
  members_->remembered.resize(plan.nodes().size());
  members_->plan = std::make_shared<const GraphPlan>(std::move(plan));
  members_->setup.plan = members_->plan;
  members_->setup.tracing.events = members_->tracing.trace_switch();
  members_->setup.tracing.packets = std::make_shared<PacketPeek>(
      static_cast<int>(members_->plan->streams().size()));
  members_->tracing.SetClock(members_->setup.clock);
  SYNCLINE_ASSIGN_OR_RETURN(
      members_->profiler,
      GraphProfiler::Create(members_->plan->GraphFields().profiler_config()));
  members_->setup.profiler = members_->profiler.get();
  return absl::OkStatus();
}

const GraphPlan& CalculatorGraph::plan() const {
  if (members_->plan == nullptr) ReportMisuse(NotInitialized());
  return *members_->plan;
}

const CalculatorGraphConfig& CalculatorGraph::Config() const {
  return plan().Config();
}

// --- Looking in

std::shared_ptr<GraphClock> CalculatorGraph::GetClock() const {
  return members_->setup.clock;
}

absl::StatusOr<std::shared_ptr<Allocator>> CalculatorGraph::GetAllocator(
    const std::string& name) const {
  if (members_->plan == nullptr) return NotInitialized();
  return FindAllocatorIn(members_->setup.allocators, name);
}

absl::StatusOr<std::shared_ptr<ConditionBase>> CalculatorGraph::FindCondition(
    absl::string_view name) const {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  return run->FindCondition(/*node_id=*/-1, name);
}

absl::StatusOr<Packet> CalculatorGraph::GetOutputSidePacket(
    const std::string& packet_name) {
  if (members_->plan == nullptr) return NotInitialized();
  const int id = members_->plan->FindSidePacket(packet_name);
  if (id < 0) {
    return absl::NotFoundError(
        absl::StrCat("The graph has no side packet \"", packet_name, "\"."));
  }
  Packet packet;
  const auto run = members_->run.Get();
  if (run) packet = run->SidePacket(id);
  const auto given = members_->side_packets.find(packet_name);
  if (packet.IsEmpty() && given != members_->side_packets.end()) {
    packet = given->second;
  }
  if (!packet.IsEmpty()) return packet;
  return absl::UnavailableError(absl::StrCat("The side packet \"", packet_name,
                                             "\" has not been produced yet."));
}

std::string CalculatorGraph::Explain() const {
  const auto run = members_->run.Get();
  if (!run) return std::string(NotStarted().message());
  return run->look().Explain();
}

std::string CalculatorGraph::ExplainIfStill(absl::Duration still) const {
  const auto run = members_->run.Get();
  if (!run || run->life().IsFinished()) return "";
  const std::uint64_t before = run->Progress();
  absl::SleepFor(still);
  if (run->life().IsFinished() || run->Progress() != before) return "";
  return run->look().WhyItStandsStill(/*is_asked=*/true);
}

std::vector<NodeWait> CalculatorGraph::GetWaits() const {
  const auto run = members_->run.Get();
  if (!run || run->life().IsFinished()) return {};
  return FindWaits(run->plan(), run->look().View());
}

ProfilingContext* CalculatorGraph::profiler() {
  return members_->profiler.get();
}

absl::Status CalculatorGraph::GetCalculatorProfiles(
    std::vector<CalculatorProfile>* profiles) const {
  if (members_->profiler == nullptr) return NotInitialized();
  return members_->profiler->GetCalculatorProfiles(profiles);
}

absl::Status CalculatorGraph::GetProfilerStatus() const {
  return members_->profiler == nullptr ? absl::OkStatus()
                                       : members_->profiler->status();
}

// --- Traces

absl::Status CalculatorGraph::StartTrace(const std::string& path,
                                         const TraceOptions& options) {
  Members& m = *members_;
  if (m.plan == nullptr) return NotInitialized();
  return CatchExceptions(
      [&] { return m.tracing.StartTrace(path, options, m.TraceHeader()); });
}

absl::Status CalculatorGraph::StopTrace(std::int64_t* num_lost) {
  return members_->tracing.StopTrace(num_lost);
}

absl::Status CalculatorGraph::EnableFlightRecorder(
    const FlightRecorderOptions& options) {
  Members& m = *members_;
  if (m.plan == nullptr) return NotInitialized();
  return CatchExceptions(
      [&] { return m.tracing.EnableFlightRecorder(options, m.TraceHeader()); });
}

absl::Status CalculatorGraph::WriteFlightRecorder(
    const std::string& path) const {
  return CatchExceptions(
      [&] { return members_->tracing.WriteFlightRecorder(path); });
}

Trace CalculatorGraph::TakeTrace() const {
  return members_->tracing.TakeTrace();
}

Trace CalculatorGraph::TakeTrace(TraceCursor* cursor) const {
  return members_->tracing.TakeTrace(cursor);
}

absl::StatusOr<Packet> CalculatorGraph::LookAtStream(
    const std::string& stream_name) const {
  SYNCLINE_ASSIGN_OR_RETURN(const int stream, StreamToLookAt(stream_name));
  return members_->setup.tracing.packets->Look(stream);
}

absl::Status CalculatorGraph::StopLookingAtStream(
    const std::string& stream_name) const {
  SYNCLINE_ASSIGN_OR_RETURN(const int stream, StreamToLookAt(stream_name));
  members_->setup.tracing.packets->StopLooking(stream);
  return absl::OkStatus();
}

absl::StatusOr<int> CalculatorGraph::StreamToLookAt(
    absl::string_view name) const {
  if (members_->plan == nullptr) return NotInitialized();
  const int stream = members_->plan->FindStream(name);
  if (stream >= 0) return stream;
  return absl::NotFoundError(
      absl::StrCat("The graph has no stream \"", name, "\"."));
}

// --- For tests

bool CalculatorGraph::GraphInputStreamsClosed() const {
  const auto run = members_->run.Get();
  return !run || run->life().InputsClosed();
}

bool CalculatorGraph::IsNodeThrottled(int node_id) const {
  const auto run = members_->run.Get();
  return run && node_id >= 0 &&
         node_id < static_cast<int>(plan().nodes().size()) &&
         run->IsNodeThrottled(node_id);
}

bool CalculatorGraph::UnthrottleSources() {
  const auto run = members_->run.Get();
  return members_->state.is_started && run && run->RelieveFullQueues();
}

}  // namespace syncline
