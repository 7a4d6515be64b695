// The graph behind a function, without types.
//
// A call adds the packets at the next timestamp, and the graph runs until it is
// idle. The answer is what its observers recorded meanwhile. When the graph is
// idle, nothing more can come, since a graph without sources moves only when a
// packet goes in. So an output that is not settled then is a mistake of the
// graph, and the call returns an error instead of waiting.
//
// Whoever sets `is_busy` is in a call, and owns the members that say so. The
// records of observers have a lock, since observers run on any thread. No user
// code is called under it.

#include "framework/api2/function_runner.h"

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace builder_internal {
namespace {

using OldPacket = ::syncline::Packet;

absl::Status CheckBoundary(const CalculatorGraphConfig& config, int num_inputs,
                           int num_outputs, int num_side_packets) {
  if (config.input_stream_size() == num_inputs &&
      config.output_stream_size() == num_outputs &&
      config.input_side_packet_size() == num_side_packets) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "The function adds inputs, outputs or side packets to the graph besides "
      "its own parameters and results: make them parameters and results.");
}

absl::Status CheckNoSources(const GraphPlan& plan) {
  for (const PlanNode& node : plan.nodes()) {
    if (!node.is_source) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        NodeLabel(node.config()),
        " is a source. In a function nothing moves without a call: make what "
        "it sends a parameter, or a side packet."));
  }
  return absl::OkStatus();
}

// Calculators run on the calling thread unless the settings give an executor.
void UseCallingThread(CalculatorGraphConfig* config) {
  for (const ExecutorConfig& executor : config->executor()) {
    if (executor.name().empty()) return;
  }
  config->add_executor()->set_type("ApplicationThreadExecutor");
}

}  // namespace

struct GraphFunction::State {
  // The result of an output in the current call.
  struct Output {
    OldPacket packet;
    Timestamp settled;  // Unset: the output is not settled
  };

  absl::Status Start(CalculatorGraphConfig config,
                     absl::Span<const OldPacket> side_packets,
                     const RunnerSettings& settings);
  absl::Status Note(int index, const OldPacket& packet)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Call(absl::Span<OldPacket> inputs, absl::Span<OldPacket> outputs)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Send(absl::Span<OldPacket> inputs, Timestamp now);
  absl::Status RunUntilIdle();
  absl::Status TakeOutputs(absl::Span<OldPacket> outputs, Timestamp now)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status NotSettled(int index) const;

  // Constant after Start.
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;

  // The next two belong to the call that sets is_busy.
  std::atomic<bool> is_busy{false};
  absl::Status end;  // not OK: every later call returns it

  Mutex mutex;
  // The timestamp of the current call, or of the last one; Unset before the
  // first.
  Timestamp now ABSL_GUARDED_BY(mutex);
  std::vector<Output> noted ABSL_GUARDED_BY(mutex);

  // The last member, so that it is destroyed first: its observers use the
  // others.
  CalculatorGraph graph;
};

absl::Status GraphFunction::State::Start(
    CalculatorGraphConfig config, absl::Span<const OldPacket> side_packets,
    const RunnerSettings& settings) {
  if (settings.default_executor != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(graph.SetExecutor("", settings.default_executor));
  } else {
    UseCallingThread(&config);
  }
  for (const auto& [service, packet] : settings.services) {
    SYNCLINE_RETURN_IF_ERROR(graph.SetServicePacket(*service, packet));
  }
  std::map<std::string, OldPacket> side_packets_by_name;
  for (std::size_t i = 0; i < side_packets.size(); ++i) {
    side_packets_by_name[config.input_side_packet(static_cast<int>(i))] =
        side_packets[i];
  }
  input_names.assign(config.input_stream().begin(),
                     config.input_stream().end());
  output_names.assign(config.output_stream().begin(),
                      config.output_stream().end());
  {
    MutexLock lock(&mutex);
    noted.resize(output_names.size());
  }
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
  SYNCLINE_RETURN_IF_ERROR(CheckNoSources(graph.plan()));
  for (std::size_t i = 0; i < output_names.size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream(
        output_names[i],
        [this, i](const OldPacket& packet) {
          return Note(static_cast<int>(i), packet);
        },
        /*observe_timestamp_bounds=*/true));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(side_packets_by_name));
  return RunUntilIdle();
}

absl::Status GraphFunction::State::Note(int index, const OldPacket& packet) {
  MutexLock lock(&mutex);
  Output& output = noted[index];
  if (!packet.IsEmpty() && packet.Timestamp() != now) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Output ", index, " of the function, stream \"", output_names[index],
        "\", has a packet at ", packet.Timestamp().DebugString(),
        " in the call at ", now.DebugString(),
        ". A function answers at the timestamp of the call."));
  }
  if (!packet.IsEmpty()) output.packet = packet;
  output.settled = packet.Timestamp();
  return absl::OkStatus();
}

absl::Status GraphFunction::State::Call(absl::Span<OldPacket> inputs,
                                        absl::Span<OldPacket> outputs) {
  Timestamp timestamp;
  {
    MutexLock lock(&mutex);
    now = now == Timestamp::Unset() ? Timestamp(0) : now + 1;
    timestamp = now;
  }
  SYNCLINE_RETURN_IF_ERROR(Send(inputs, timestamp));
  SYNCLINE_RETURN_IF_ERROR(RunUntilIdle());
  return TakeOutputs(outputs, timestamp);
}

absl::Status GraphFunction::State::Send(absl::Span<OldPacket> inputs,
                                        Timestamp now) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].IsEmpty()) {
      SYNCLINE_RETURN_IF_ERROR(graph.SetInputStreamTimestampBound(
          input_names[i], now.NextAllowedInStream()));
    } else {
      SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
          input_names[i], std::move(inputs[i]).At(now)));
    }
  }
  return absl::OkStatus();
}

absl::Status GraphFunction::State::RunUntilIdle() {
  const absl::Status status = graph.WaitUntilIdle();
  absl::Status errors;
  graph.GetCombinedErrors("The graph of the function failed:", &errors);
  return errors.ok() ? status : errors;
}

absl::Status GraphFunction::State::TakeOutputs(absl::Span<OldPacket> outputs,
                                               Timestamp now) {
  int not_settled = -1;
  {
    MutexLock lock(&mutex);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (noted[i].settled < now) not_settled = static_cast<int>(i);
      outputs[i] = std::move(noted[i].packet).At(Timestamp::Unset());
    }
  }
  return not_settled < 0 ? absl::OkStatus() : NotSettled(not_settled);
}

absl::Status GraphFunction::State::NotSettled(int index) const {
  std::string producer = "the graph";
  for (const PlanStream& stream : graph.plan().streams()) {
    if (stream.name != output_names[index] || stream.producer.node < 0)
      continue;
    producer = NodeLabel(graph.plan().nodes()[stream.producer.node].config());
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "Output ", index, " of the function, stream \"", output_names[index],
      "\", has not been answered: ", producer,
      " neither sent a packet nor settled the timestamp, and nothing is left "
      "to run. A calculator that leaves timestamps out needs a timestamp "
      "offset.\n",
      absl::StripTrailingAsciiWhitespace(graph.Explain())));
}

GraphFunction::GraphFunction(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
GraphFunction::~GraphFunction() = default;

absl::StatusOr<std::unique_ptr<GraphFunction>> GraphFunction::Create(
    Graph& graph, int num_inputs, int num_outputs,
    absl::Span<const OldPacket> side_packets, const RunnerSettings& settings) {
  SYNCLINE_ASSIGN_OR_RETURN(CalculatorGraphConfig config, graph.BuildConfig());
  SYNCLINE_RETURN_IF_ERROR(CheckBoundary(
      config, num_inputs, num_outputs, static_cast<int>(side_packets.size())));
  auto state = std::make_unique<State>();
  SYNCLINE_RETURN_IF_ERROR(
      state->Start(std::move(config), side_packets, settings));
  return std::unique_ptr<GraphFunction>(new GraphFunction(std::move(state)));
}

absl::Status GraphFunction::Run(absl::Span<OldPacket> inputs,
                                absl::Span<OldPacket> outputs) {
  if (state_->is_busy.exchange(true)) {
    return absl::UnavailableError(
        "Another call of the function is running. Wait for its end, or make a "
        "runner for each thread.");
  }
  absl::Cleanup done = [this] { state_->is_busy = false; };
  if (!state_->end.ok()) return state_->end;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].Timestamp() == Timestamp::Unset()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "Argument ", i, " of the function has the timestamp ",
        inputs[i].Timestamp().DebugString(),
        ". The runner gives timestamps itself: pass packet.At(Timestamp())."));
  }
  state_->end = state_->Call(inputs, outputs);
  return state_->end;
}

absl::Status GraphFunction::Close() {
  if (state_->is_busy.exchange(true)) {
    return absl::UnavailableError(
        "A call of the function is running. Wait for its end.");
  }
  absl::Cleanup done = [this] { state_->is_busy = false; };
  if (!state_->end.ok()) return state_->end;
  state_->end = absl::FailedPreconditionError("The function is closed.");
  SYNCLINE_RETURN_IF_ERROR(state_->graph.CloseAllInputStreams());
  return state_->graph.WaitUntilDone();
}

}  // namespace builder_internal
}  // namespace builder
}  // namespace api2
}  // namespace syncline
