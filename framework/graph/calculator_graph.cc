#include "framework/graph/calculator_graph.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/clock.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/resources_service.h"
#include "framework/calculator/service.h"
#include "framework/graph/current_run.h"
#include "framework/graph/graph_preparation.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/output_tap.h"
#include "framework/graph/poller_queue.h"
#include "framework/graph/runtime_info.h"
#include "framework/graph/runtime_info_logger.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/graph_source.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr char kRunFailed[] = "CalculatorGraph::Run() failed: \n";

absl::Status NotInitialized() {
  return absl::FailedPreconditionError(
      "The graph is not initialized: call Initialize() first, and look at the "
      "status that it returns.");
}

absl::Status NotStarted() {
  return absl::FailedPreconditionError(
      "The graph is not running: call StartRun() first.");
}

}  // namespace

struct CalculatorGraph::Members {
  // Set by Initialize.
  std::unique_ptr<GraphPlan> plan;
  std::map<std::string, Packet> side_packets;
  std::vector<InputPolicyKind> policies;
  std::vector<std::shared_ptr<Executor>> executors;
  std::vector<RememberedNode> remembered;

  // Set between runs.
  std::function<void(const absl::Status&)> error_callback;
  std::map<std::string, std::shared_ptr<Executor>> given_executors;
  TaskChooser* chooser = nullptr;
  std::vector<std::shared_ptr<OutputTap>> taps;
  std::vector<std::shared_ptr<PollerQueue>> pollers;
  std::vector<int> input_limits;                // by graph input; 0: as usual
  std::vector<std::int64_t> input_byte_limits;  // the same
  std::unique_ptr<CounterFactory> counters =
      std::make_unique<BasicCounterFactory>();
  GraphServiceManager services;
  std::atomic<GraphInputStreamAddMode> add_mode{
      GraphInputStreamAddMode::WAIT_TILL_NOT_FULL};

  const std::shared_ptr<WaitPoint> wait_point = std::make_shared<WaitPoint>();

  CurrentRun<GraphRun> run;
  // A run goes on: from StartRun to the end of WaitUntilDone.
  std::atomic<bool> is_started{false};
  // Somebody is in StartRun.
  std::atomic<bool> is_starting{false};
  // During a run whose graph asks for it.
  std::unique_ptr<RuntimeInfoLogger> info_logger;
};

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
  if (members_->is_started) {
    Cancel();
    const absl::Status status = WaitUntilDone();
    VLOG(1) << "A running graph was destroyed: " << status;
  }
  for (const std::shared_ptr<OutputTap>& tap : members_->taps) tap->EndRun();
  members_->run.Clear();
}

absl::Status CalculatorGraph::SetErrorCallback(
    std::function<void(const absl::Status&)> callback) {
  if (members_->plan != nullptr) {
    return absl::FailedPreconditionError(
        "SetErrorCallback() has to come before Initialize().");
  }
  members_->error_callback = std::move(callback);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetExecutor(const std::string& name,
                                          std::shared_ptr<Executor> executor) {
  if (members_->plan != nullptr) {
    return absl::FailedPreconditionError(
        "SetExecutor() has to come before Initialize().");
  }
  if (name == "default" || name == "gpu" || absl::StartsWith(name, "__")) {
    return absl::InvalidArgumentError(
        absl::StrCat("The executor name \"", name,
                     "\" is reserved. The default executor is called \"\"."));
  }
  if (executor == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The executor given for \"", name, "\" is null."));
  }
  const auto [known, is_new] =
      members_->given_executors.emplace(name, executor);
  if (!is_new && known->second != executor) {
    return absl::AlreadyExistsError(
        absl::StrCat("SetExecutor() was called with another executor for \"",
                     name, "\" before."));
  }
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetTaskChooser(TaskChooser* chooser) {
  if (members_->plan != nullptr) {
    return absl::FailedPreconditionError(
        "SetTaskChooser() has to come before Initialize().");
  }
  members_->chooser = chooser;
  members_->wait_point->SetChooser(chooser);
  return absl::OkStatus();
}

// --- Initialize

absl::Status CalculatorGraph::Initialize(
    CalculatorGraphConfig config,
    const std::map<std::string, Packet>& side_packets) {
  if (members_->plan != nullptr) return Initialize(GraphPlan(*members_->plan));
  CompileOptions options;
  options.side_packets = &side_packets;
  options.services = &members_->services;
  SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan,
                            Compile(std::move(config), options));
  return Initialize(std::move(plan), side_packets);
}

absl::Status CalculatorGraph::Initialize(
    const std::vector<CalculatorGraphConfig>& configs,
    const std::vector<CalculatorGraphTemplate>& templates,
    const std::map<std::string, Packet>& side_packets,
    const std::string& graph_type, const CalculatorGraphConfig::Node* node) {
  if (members_->plan != nullptr) return Initialize(GraphPlan(*members_->plan));
  if (!templates.empty()) {
    return absl::UnimplementedError(
        "Graph templates are not supported: expand them before.");
  }
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
                            Compile(std::move(sources), options));
  return Initialize(std::move(plan), side_packets);
}

absl::Status CalculatorGraph::Initialize(
    GraphPlan plan, const std::map<std::string, Packet>& side_packets) {
  if (members_->plan != nullptr) {
    return absl::FailedPreconditionError(
        "The graph is initialized already. A graph is initialized once, and "
        "may then have any number of runs.");
  }
  SYNCLINE_RETURN_IF_ERROR(
      plan.CheckSidePackets(side_packets, /*complete=*/false));
  SYNCLINE_ASSIGN_OR_RETURN(members_->policies, FindPolicies(plan));
  if (members_->chooser != nullptr) {
    members_->executors.assign(
        plan.executors().size(),
        std::make_shared<ApplicationThreadExecutor>(members_->wait_point));
  } else {
    SYNCLINE_ASSIGN_OR_RETURN(
        members_->executors,
        MakeExecutors(plan, members_->given_executors, members_->wait_point));
  }
  members_->side_packets = side_packets;
  members_->input_limits.resize(plan.graph_inputs().size(), 0);
  members_->input_byte_limits.resize(plan.graph_inputs().size(), 0);
  members_->remembered.resize(plan.nodes().size());
  members_->plan = std::make_unique<GraphPlan>(std::move(plan));
  return absl::OkStatus();
}

const GraphPlan& CalculatorGraph::plan() const {
  if (members_->plan == nullptr) ReportMisuse(NotInitialized());
  return *members_->plan;
}

const CalculatorGraphConfig& CalculatorGraph::Config() const {
  return plan().Config();
}

// --- Before a run

namespace {

absl::StatusOr<int> FindStream(const GraphPlan* plan, bool is_started,
                               absl::string_view name) {
  if (plan == nullptr) return NotInitialized();
  if (is_started) {
    return absl::FailedPreconditionError(
        absl::StrCat("Stream \"", name,
                     "\" can be observed only before the run has started."));
  }
  const int stream = plan->FindStream(name);
  if (stream >= 0) return stream;
  return absl::NotFoundError(
      absl::StrCat("The graph has no stream \"", name, "\"."));
}

}  // namespace

absl::Status CalculatorGraph::ObserveOutputStream(
    const std::string& stream_name,
    std::function<absl::Status(const Packet&)> callback,
    bool observe_timestamp_bounds) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const int stream,
      FindStream(members_->plan.get(), members_->is_started, stream_name));
  members_->taps.push_back(std::make_shared<Observer>(
      stream, stream_name, std::move(callback), observe_timestamp_bounds));
  return absl::OkStatus();
}

absl::StatusOr<OutputStreamPoller> CalculatorGraph::AddOutputStreamPoller(
    const std::string& stream_name, bool observe_timestamp_bounds) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const int stream,
      FindStream(members_->plan.get(), members_->is_started, stream_name));
  auto queue = std::make_shared<PollerQueue>(stream, observe_timestamp_bounds,
                                             members_->wait_point);
  members_->taps.push_back(queue);
  members_->pollers.push_back(queue);
  return OutputStreamPoller(std::move(queue));
}

// --- Runs

namespace {

GraphRuntimeInfo RuntimeInfoNow(const GraphRun& run) {
  return MakeRuntimeInfo(run.plan(), run.Snapshot(),
                         absl::ToUnixMicros(Clock::RealClock()->TimeNow()));
}

// Null where the graph does not ask for it.
absl::StatusOr<std::unique_ptr<RuntimeInfoLogger>> LogRuntimeInfo(
    const std::shared_ptr<GraphRun>& run) {
  constexpr int kDefaultPeriodMs = 10000;
  const GraphRuntimeInfoConfig& config = run->plan().Config().runtime_info();
  if (!config.enable_graph_runtime_info()) return nullptr;
  const std::int64_t period_ms = config.capture_period_msec() > 0
                                     ? config.capture_period_msec()
                                     : kDefaultPeriodMs;
  return RuntimeInfoLogger::Start(absl::Milliseconds(period_ms),
                                  [run]() -> absl::optional<GraphRuntimeInfo> {
                                    if (run->IsFinished()) return absl::nullopt;
                                    return RuntimeInfoNow(*run);
                                  });
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
  const bool is_only_one = !m.is_starting.exchange(true);
  const absl::Cleanup end = [&] {
    if (is_only_one) m.is_starting.store(false);
  };
  if (!is_only_one || m.is_started) {
    return absl::FailedPreconditionError(
        "The graph is running already: call WaitUntilDone() before the next "
        "StartRun().");
  }
  GraphRun::Setup setup{.plan = *m.plan,
                        .policies = m.policies,
                        .executors = m.executors,
                        .wait_point = m.wait_point,
                        .chooser = m.chooser,
                        .taps = m.taps,
                        .pollers = m.pollers,
                        .stream_headers = stream_headers,
                        .input_limits = m.input_limits,
                        .input_byte_limits = m.input_byte_limits,
                        .counters = m.counters.get(),
                        .services = &m.services,
                        .error_callback = m.error_callback,
                        .remembered = &m.remembered};
  SYNCLINE_ASSIGN_OR_RETURN(
      setup.side_packets,
      PrepareRun(*m.plan, m.side_packets, extra_side_packets, stream_headers,
                 m.input_limits, &m.services));
  auto run = std::make_shared<GraphRun>(std::move(setup));
  SYNCLINE_ASSIGN_OR_RETURN(m.info_logger, LogRuntimeInfo(run));
  m.run.Set(run);
  m.is_started = true;
  run->Start(run);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::WaitUntilDone() {
  Members& m = *members_;
  const auto run = m.run.Get();
  if (!run) return NotStarted();
  run->WaitUntilFinished();
  if (!run->ClaimEnd()) return run->WaitForResult();
  m.info_logger.reset();
  const absl::Status status = HandleStatusAfterRun(*run, run->CleanUp());
  m.is_started = false;
  return run->SetResult(PrefixStatus(kRunFailed, status));
}

absl::Status CalculatorGraph::WaitUntilIdle() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->WaitUntilIdle();
  return run->CombinedErrors("CalculatorGraph::WaitUntilIdle(): \n");
}

absl::Status CalculatorGraph::WaitForObservedOutput() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  return run->WaitForObservedOutput();
}

void CalculatorGraph::Cancel() {
  if (!members_->is_started) return;
  const auto run = members_->run.Get();
  if (run) run->Cancel();
}

void CalculatorGraph::Pause() {
  if (!members_->is_started) return;
  const auto run = members_->run.Get();
  if (run) run->Pause();
}

void CalculatorGraph::Resume() {
  if (!members_->is_started) return;
  const auto run = members_->run.Get();
  if (run) run->Resume();
}

bool CalculatorGraph::HasError() const {
  const auto run = members_->run.Get();
  return members_->is_started && run && run->has_error();
}

void CalculatorGraph::RecordError(const absl::Status& error) {
  if (error.ok()) return;
  const auto run = members_->run.Get();
  if (members_->is_started && run) return run->RecordError(error);
  LOG(ERROR) << "RecordError() without a run: " << error;
}

bool CalculatorGraph::GetCombinedErrors(const std::string& prefix,
                                        absl::Status* status) const {
  const auto run = members_->run.Get();
  *status = run ? run->CombinedErrors(prefix) : absl::OkStatus();
  return !status->ok();
}

bool CalculatorGraph::GetCombinedErrors(absl::Status* status) const {
  return GetCombinedErrors("", status);
}

// --- Graph inputs

namespace {

absl::StatusOr<int> FindInput(const GraphPlan* plan, absl::string_view name) {
  if (plan == nullptr) return NotInitialized();
  const int input = plan->FindGraphInput(name);
  if (input >= 0) return input;
  return absl::NotFoundError(absl::StrCat(
      "The graph has no input stream \"", name,
      "\". Packets can be added to streams that the graph's config lists as "
      "input_stream."));
}

}  // namespace

bool CalculatorGraph::HasInputStream(absl::string_view name) const {
  return members_->plan != nullptr && members_->plan->FindGraphInput(name) >= 0;
}

absl::Status CalculatorGraph::AddPacketToInputStream(
    absl::string_view stream_name, const Packet& packet) {
  return AddPacketToInputStream(stream_name, Packet(packet));
}

absl::Status CalculatorGraph::AddPacketToInputStream(
    absl::string_view stream_name, Packet&& packet) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  return run->AddPacket(input, std::move(packet),
                        /*may_wait=*/members_->add_mode ==
                            GraphInputStreamAddMode::WAIT_TILL_NOT_FULL);
}

absl::Status CalculatorGraph::SetInputStreamTimestampBound(
    const std::string& stream_name, Timestamp timestamp) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  return run->SetBound(input, timestamp);
}

absl::Status CalculatorGraph::CloseInputStream(const std::string& stream_name) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseInput(input);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::CloseAllInputStreams() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseAllInputs();
  return absl::OkStatus();
}

absl::Status CalculatorGraph::CloseAllPacketSources() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseAllPacketSources();
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetInputStreamMaxQueueSize(
    const std::string& stream_name, int max_queue_size) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  if (max_queue_size < -1 || max_queue_size == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The queue size of graph input \"", stream_name,
                     "\" must be positive, or -1 for no limit, and is ",
                     max_queue_size, "."));
  }
  members_->input_limits[input] = max_queue_size;
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetInputStreamMaxQueueBytes(
    const std::string& stream_name, std::int64_t max_queue_bytes) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  if (max_queue_bytes < -1 || max_queue_bytes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The queue size in bytes of graph input \"", stream_name,
                     "\" must be positive, or -1 for no limit, and is ",
                     max_queue_bytes, "."));
  }
  members_->input_byte_limits[input] = max_queue_bytes;
  return absl::OkStatus();
}

int CalculatorGraph::GetMaxInputStreamQueueSize() const {
  return plan().settings().max_queue_size;
}

CalculatorGraph::GraphInputStreamAddMode
CalculatorGraph::GetGraphInputStreamAddMode() const {
  return members_->add_mode;
}

void CalculatorGraph::SetGraphInputStreamAddMode(GraphInputStreamAddMode mode) {
  members_->add_mode = mode;
}

// --- Values

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

void CalculatorGraph::SetCounterFactory(CounterFactory* factory) {
  members_->counters.reset(factory);
}

CounterFactory* CalculatorGraph::GetCounterFactory() {
  return members_->counters.get();
}

absl::Status CalculatorGraph::SetServicePacket(const GraphServiceBase& service,
                                               Packet packet) {
  if (members_->is_started) {
    return absl::FailedPreconditionError(
        absl::StrCat("Service \"", service.key,
                     "\" has to be given before the run has started."));
  }
  if (members_->plan != nullptr && service.key == kResourcesService.key) {
    return absl::InternalError(
        "kResourcesService has to be given before Initialize().");
  }
  return members_->services.SetServicePacket(service, std::move(packet));
}

absl::Status CalculatorGraph::DisallowServiceDefaultInitialization() {
  members_->services.DisallowDefaultInitialization();
  return absl::OkStatus();
}

const GraphServiceManager& CalculatorGraph::services() const {
  return members_->services;
}

// --- Looking in

absl::StatusOr<GraphRuntimeInfo> CalculatorGraph::GetGraphRuntimeInfo() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  return RuntimeInfoNow(*run);
}

std::string CalculatorGraph::Explain() const {
  const auto run = members_->run.Get();
  if (!run) return std::string(NotStarted().message());
  return run->Explain();
}

absl::Status CalculatorGraph::GetCalculatorProfiles(
    std::vector<CalculatorProfile>*) const {
  return absl::UnimplementedError("There is no profiler in this build.");
}

// --- For tests

bool CalculatorGraph::GraphInputStreamsClosed() const {
  const auto run = members_->run.Get();
  return !run || run->InputsClosed();
}

bool CalculatorGraph::IsNodeThrottled(int node_id) const {
  const auto run = members_->run.Get();
  return run && node_id >= 0 &&
         node_id < static_cast<int>(plan().nodes().size()) &&
         run->IsNodeThrottled(node_id);
}

bool CalculatorGraph::UnthrottleSources() {
  const auto run = members_->run.Get();
  return members_->is_started && run && run->RelieveFullQueues();
}

}  // namespace syncline
