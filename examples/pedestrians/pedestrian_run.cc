#include "examples/pedestrians/pedestrian_run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/graph_subject.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"
#include "calculators/core/flow_limiter_calculator.pb.h"
#include "framework/calculator.pb.h"
#include "framework/deps/file_helpers.h"
#include "framework/formats/video_stream_header.h"
#include "framework/packet.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

// Enough packets for a figure, and few enough that nobody waits for it.
constexpr std::int64_t kChainPackets = 5000;
constexpr int kChainRuns = 5;

FlowLimiterCalculatorOptions LimiterOptions(bool realtime) {
  FlowLimiterCalculatorOptions options;
  options.set_max_in_flight(1);
  // What waits is bounded by the queue of frames that wait for their boxes.
  options.set_max_in_queue(realtime ? 0 : std::numeric_limits<int>::max());
  return options;
}

// By the last part of the name of the counter.
std::int64_t SumOfCounters(CalculatorGraph* graph, absl::string_view node,
                           absl::string_view counter) {
  return graph->GetCounterFactory()
      ->GetCounter(absl::StrCat(node, "-", counter))
      ->Get();
}

// The graph of the file, with what its subgraphs stand for.
absl::StatusOr<CalculatorGraphConfig> ReadGraph(const std::string& path) {
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(file::GetContents(path, &text));
  CalculatorGraphConfig config;
  if (!ParseTextProto<CalculatorGraphConfig>(text, &config)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the graph \"", path,
                     "\" cannot be read; the log says where it goes wrong"));
  }
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
  return graph.Config();
}

double Milliseconds(absl::Duration duration) {
  return absl::ToDoubleMilliseconds(duration);
}

}  // namespace

PedestrianRun::PedestrianRun(PedestrianOptions options)
    : options_(std::move(options)),
      graph_(std::make_unique<CalculatorGraph>()) {}

absl::Status PedestrianRun::Prepare() {
  SYNCLINE_ASSIGN_OR_RETURN(CalculatorGraphConfig config,
                            ReadGraph(options_.graph_path));
  SYNCLINE_ASSIGN_OR_RETURN(const auto executors,
                            MeasureRun(options_.threads, &config));
  for (const auto& [name, executor] : executors) {
    SYNCLINE_RETURN_IF_ERROR(graph_->SetExecutor(name, executor));
  }
  SYNCLINE_RETURN_IF_ERROR(graph_->Initialize(std::move(config)));
  return Observe();
}

absl::Status PedestrianRun::Observe() {
  const auto observe = [this](const std::string& stream, auto function) {
    return graph_->ObserveOutputStream(stream,
                                       [function](const Packet& packet) {
                                         function(packet);
                                         return absl::OkStatus();
                                       });
  };
  SYNCLINE_RETURN_IF_ERROR(observe("video_header", [this](const Packet& p) {
    frame_rate_ = p.Get<VideoHeader>().frame_rate;
  }));
  SYNCLINE_RETURN_IF_ERROR(observe("frames", [this](const Packet& p) {
    if (first_frame_ == Timestamp::Unset()) first_frame_ = p.Timestamp();
    last_frame_ = p.Timestamp();
    log_.FrameIn(p.Timestamp());
  }));
  SYNCLINE_RETURN_IF_ERROR(observe(
      "allow", [this](const Packet& p) { log_.Decided(p.Get<bool>()); }));
  SYNCLINE_RETURN_IF_ERROR(
      observe("detected_tracks", [this](const Packet& p) { log_.Detected(); }));
  return observe("annotated_frames",
                 [this](const Packet& p) { log_.FrameOut(p.Timestamp()); });
}

absl::Status PedestrianRun::Run() {
  ResetMeasuredTimes();
  start_ = absl::Now();
  const absl::Status status = graph_->Run({
      {"input_video_path", MakePacket<std::string>(options_.input_path)},
      {"output_video_path", MakePacket<std::string>(options_.output_path)},
      {"realtime", MakePacket<bool>(options_.realtime)},
      {"wait", MakePacket<bool>(!options_.realtime)},
      {"limiter_options", MakePacket<FlowLimiterCalculatorOptions>(
                              LimiterOptions(options_.realtime))},
  });
  FillReport();
  return status;
}

void PedestrianRun::FillReport() {
  report_.wall_time = absl::Now() - start_;
  report_.times = GetMeasuredTimes();
  report_.frames = log_.counts();
  report_.latency_p50 = log_.LatencyAt(0.5);
  report_.latency_p99 = log_.LatencyAt(0.99);
  report_.frame_rate = frame_rate_;
  if (report_.frames.in > 0 && frame_rate_ > 0) {
    report_.video_time =
        absl::Microseconds((last_frame_ - first_frame_).Value()) +
        absl::Seconds(1 / static_cast<double>(frame_rate_));
  }
  report_.dropped_by_limiter =
      SumOfCounters(graph_.get(), "people__limiter", "Dropped");
  report_.dropped_by_player = SumOfCounters(graph_.get(), "player", "dropped");
  const absl::StatusOr<GraphRuntimeInfo> info = graph_->GetGraphRuntimeInfo();
  if (!info.ok()) return;
  report_.dropped_in_queues = 0;
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
      for (const DroppedPacketsInfo& dropped : input.dropped_packets()) {
        report_.dropped_in_queues += dropped.number_of_packets();
      }
    }
  }
}

absl::StatusOr<double> MeasureChainNsPerCall() {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kChainRuns; ++i) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const Measurement measurement,
        MakeGraphSubject()->Run(*FindWorkload("chain of 10"), /*threads=*/1,
                                kChainPackets));
    best = std::min(best, measurement.ns_per_invocation);
  }
  return best;
}

std::string SummaryOf(const PedestrianOptions& options,
                      const PedestrianReport& report) {
  const FrameCounts& frames = report.frames;
  const double seconds = absl::ToDoubleSeconds(report.wall_time);
  const auto line = [](absl::string_view what, const std::string& text) {
    return absl::StrFormat("%-16s%s\n", what, text);
  };
  std::string summary = absl::StrCat(
      line("frames",
           absl::StrFormat("%d in, %d out, %.1f a second", frames.in,
                           frames.out, seconds > 0 ? frames.out / seconds : 0)),
      line("detected", absl::StrFormat("%d, at most %d in flight",
                                       frames.detected, frames.max_in_flight)),
      line("dropped",
           absl::StrFormat("%d by the limiter (not detected in, but tracked "
                           "and drawn), %d by the player, %d in queues",
                           report.dropped_by_limiter, report.dropped_by_player,
                           report.dropped_in_queues)),
      line("latency", absl::StrFormat("p50 %.1f ms, p99 %.1f ms, from the "
                                      "player to the annotated frame",
                                      Milliseconds(report.latency_p50),
                                      Milliseconds(report.latency_p99))),
      line("wall time",
           absl::StrFormat("%.2f s, of a video of %.2f s at %.4g frames a "
                           "second",
                           seconds, absl::ToDoubleSeconds(report.video_time),
                           report.frame_rate)));
  const MeasuredTimes& times = report.times;
  const double all_ns = times.framework_ns + times.calculators_ns;
  absl::StrAppend(
      &summary, line("framework time",
                     absl::StrFormat(
                         "%.0f ns per call of a calculator (%d calls), "
                         "%.3f %% of what the threads computed",
                         times.FrameworkNsPerCall(), times.process_calls,
                         all_ns > 0 ? 100 * times.framework_ns / all_ns : 0)));
  if (report.chain_ns_per_call > 0) {
    absl::StrAppend(
        &summary,
        line("", absl::StrFormat(
                     "%.1f times that of a chain of 10 that does nothing: "
                     "%.0f ns",
                     times.FrameworkNsPerCall() / report.chain_ns_per_call,
                     report.chain_ns_per_call)));
  }
  absl::StrAppend(&summary, line("written to", options.output_path));
  return summary;
}

}  // namespace syncline
