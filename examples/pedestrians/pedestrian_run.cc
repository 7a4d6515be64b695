#include "examples/pedestrians/pedestrian_run.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "calculators/core/flow_limiter_calculator.pb.h"
#include "calculators/video/opencv_video_decoder_calculator.pb.h"
#include "examples/pedestrians/reference_graphs.h"
#include "framework/calculator.pb.h"
#include "framework/deps/file_helpers.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"
#include "framework/packet.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

FlowLimiterCalculatorOptions LimiterOptions(bool realtime) {
  FlowLimiterCalculatorOptions options;
  options.set_max_in_flight(1);
  // The queue of frames that wait for their boxes already limits what waits.
  options.set_max_in_queue(realtime ? 0 : std::numeric_limits<int>::max());
  return options;
}

std::map<std::string, Packet> SidePacketsOf(const PedestrianOptions& options) {
  return {
      {"input_video_path", MakePacket<std::string>(options.input_path)},
      {"output_video_path", MakePacket<std::string>(options.output_path)},
      {"realtime", MakePacket<bool>(options.realtime)},
      {"wait", MakePacket<bool>(!options.realtime)},
      {"limiter_options", MakePacket<FlowLimiterCalculatorOptions>(
                              LimiterOptions(options.realtime))},
  };
}

// The sum of the counters of a node, by the last part of their names.
std::int64_t SumOfCounters(CalculatorGraph* graph, absl::string_view node,
                           absl::string_view counter) {
  return graph->GetCounterFactory()
      ->GetCounter(absl::StrCat(node, "-", counter))
      ->Get();
}

// Reads the graph from its file and expands its subgraphs.
absl::StatusOr<CalculatorGraphConfig> ReadGraph(const std::string& path) {
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(file::GetContents(path, &text));
  CalculatorGraphConfig config;
  if (!ParseTextProto<CalculatorGraphConfig>(text, &config)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the graph \"", absl::Utf8SafeCHexEscape(path),
                     "\" cannot be read; the log says where it goes wrong"));
  }
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
  return graph.Config();
}

double Milliseconds(absl::Duration duration) {
  return absl::ToDoubleMilliseconds(duration);
}

std::string Line(absl::string_view what, const std::string& text) {
  return absl::StrFormat("%-16s%s\n", what, text);
}

// Lines about the time of the threads, and the figures it is compared with.
std::string TimesAsLines(const PedestrianReport& report) {
  const MeasuredTimes& times = report.times;
  std::string lines = absl::StrCat(
      Line("framework time",
           absl::StrFormat(
               "%.0f ns per call of a calculator (%d calls), %.3f %% of the "
               "time of the threads (at most %.1f %%)",
               times.NsPerCall(TimeOf::kFramework), times.process_calls,
               100 * report.FrameworkShare(), 100 * kMaxFrameworkShare)),
      Line("besides",
           absl::StrFormat("%.0f ns for waking threads, %.0f ns for freeing "
                           "frames and other packets, %.0f ns in observers",
                           times.NsPerCall(TimeOf::kThreads),
                           times.NsPerCall(TimeOf::kPackets),
                           times.NsPerCall(TimeOf::kObservers))));
  if (report.chain_ns_per_call > 0) {
    absl::StrAppend(
        &lines,
        Line("for comparison",
             absl::StrFormat(
                 "%.0f ns in a chain of 10 that does nothing, %.0f ns if it "
                 "sweeps the caches",
                 report.chain_ns_per_call, report.swept_chain_ns_per_call)),
        Line("", absl::StrFormat(
                     "%.0f ns, %.1f times the chain (at most %.1f), in this "
                     "graph with calculators that do nothing",
                     report.stand_ins_ns_per_call, report.StandInsPerChain(),
                     kMaxStandInsPerChain)));
  }
  return lines;
}

}  // namespace

double PedestrianReport::AverageRate() const {
  const double seconds = absl::ToDoubleSeconds(video_time);
  return seconds > 0 && dropped_by_player == 0
             ? static_cast<double>(frames.in) / seconds
             : frame_rate;
}

double PedestrianReport::FrameworkShare() const {
  double all_ns = 0;
  for (const double ns : times.ns) all_ns += ns;
  return all_ns > 0 ? times.Ns(TimeOf::kFramework) / all_ns : 0;
}

absl::Status CheckTimes(const PedestrianReport& report) {
  const double share = report.FrameworkShare();
  const double ratio = report.StandInsPerChain();
  if (share <= 0 || ratio <= 0) {
    return absl::FailedPreconditionError(
        "no times were measured that could be checked");
  }
  if (share <= kMaxFrameworkShare && ratio <= kMaxStandInsPerChain) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrFormat(
      "the framework took %.3f %% of the time of the threads, which may be "
      "%.1f %%, and %.1f times the chain with calculators that do nothing, "
      "which may be %.1f; these hold for an optimised build (-c opt) and a "
      "machine that does nothing else",
      100 * share, 100 * kMaxFrameworkShare, ratio, kMaxStandInsPerChain));
}

PedestrianRun::PedestrianRun(PedestrianOptions options)
    : options_(std::move(options)),
      graph_(std::make_unique<CalculatorGraph>()) {}

absl::Status PedestrianRun::Prepare() {
  SYNCLINE_ASSIGN_OR_RETURN(config_, ReadGraph(options_.graph_path));
  if (options_.allow_truncated) SYNCLINE_RETURN_IF_ERROR(AllowTruncated());
  CalculatorGraphConfig config = config_;
  SYNCLINE_RETURN_IF_ERROR(MeasureCalculators(&config));
  for (const auto& [name, executor] :
       MeasuringExecutors(options_.threads, &config)) {
    SYNCLINE_RETURN_IF_ERROR(graph_->SetExecutor(name, executor));
  }
  SYNCLINE_RETURN_IF_ERROR(graph_->Initialize(std::move(config)));
  return Observe();
}

absl::Status PedestrianRun::AllowTruncated() {
  constexpr char kDecoder[] = "OpenCvVideoDecoderCalculator";
  bool is_found = false;
  for (CalculatorGraphConfig::Node& node : *config_.mutable_node()) {
    if (node.calculator() != kDecoder) continue;
    node.mutable_options()
        ->MutableExtension(OpenCvVideoDecoderCalculatorOptions::ext)
        ->set_allow_truncated(true);
    is_found = true;
  }
  if (is_found) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the graph \"", absl::Utf8SafeCHexEscape(options_.graph_path),
      "\" has no ", kDecoder, " that could take a video that was cut off"));
}

absl::Status PedestrianRun::Observe() {
  const auto observe = [this](const std::string& stream, auto function) {
    return graph_->ObserveOutputStream(stream, MeasuredObserver(function));
  };
  SYNCLINE_RETURN_IF_ERROR(observe("video_header", [this](const Packet& p) {
    frame_rate_ = p.Get<VideoHeader>().frame_rate;
  }));
  SYNCLINE_RETURN_IF_ERROR(observe("frames", [this](const Packet& p) {
    if (first_frame_ == Timestamp::Unset()) first_frame_ = p.Timestamp();
    last_frame_ = p.Timestamp();
    report_.width = p.Get<ImageFrame>().Width();
    report_.height = p.Get<ImageFrame>().Height();
    log_.FrameIn(p.Timestamp());
  }));
  SYNCLINE_RETURN_IF_ERROR(observe(
      "allow", [this](const Packet& p) { log_.Decided(p.Get<bool>()); }));
  SYNCLINE_RETURN_IF_ERROR(
      observe("detected_tracks", [this](const Packet& p) { log_.Detected(); }));
  SYNCLINE_RETURN_IF_ERROR(observe("tracks", [this](const Packet& p) {
    const auto boxes =
        static_cast<std::int64_t>(p.Get<std::vector<Detection>>().size());
    boxes_.drawn += boxes;
    boxes_.most = std::max(boxes_.most, boxes);
    if (boxes > 0) ++boxes_.frames;
  }));
  return observe("annotated_frames",
                 [this](const Packet& p) { log_.FrameOut(p.Timestamp()); });
}

absl::Status PedestrianRun::Run() {
  ResetMeasuredTimes();
  start_ = absl::Now();
  const absl::Status status = graph_->Run(SidePacketsOf(options_));
  FillReport();
  return status;
}

void PedestrianRun::FillReport() {
  report_.wall_time = absl::Now() - start_;
  report_.times = GetMeasuredTimes();
  report_.frames = log_.counts();
  report_.boxes = boxes_;
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

absl::Status PedestrianRun::CompareTimes() {
  SYNCLINE_ASSIGN_OR_RETURN(report_.chain_ns_per_call, MeasureChainNsPerCall());
  SYNCLINE_ASSIGN_OR_RETURN(report_.swept_chain_ns_per_call,
                            MeasureSweptChainNsPerCall());
  PedestrianOptions options = options_;
  options.realtime = false;
  SYNCLINE_ASSIGN_OR_RETURN(
      report_.stand_ins_ns_per_call,
      MeasureStandInsNsPerCall(config_, SidePacketsOf(options)));
  return absl::OkStatus();
}

std::string SummaryOf(const PedestrianOptions& options,
                      const PedestrianReport& report) {
  const FrameCounts& frames = report.frames;
  const double seconds = absl::ToDoubleSeconds(report.wall_time);
  std::string summary = absl::StrCat(
      Line("frames",
           absl::StrFormat("%d in, %d out, %.1f a second", frames.in,
                           frames.out, seconds > 0 ? frames.out / seconds : 0)),
      Line("detected", absl::StrFormat("%d, at most %d in flight",
                                       frames.detected, frames.max_in_flight)),
      Line("boxes",
           absl::StrFormat("%d, in %d of the frames, at most %d in one",
                           report.boxes.drawn, report.boxes.frames,
                           report.boxes.most)),
      Line("dropped",
           absl::StrFormat("%d by the limiter (not detected in, but tracked "
                           "and drawn), %d by the player, %d in queues",
                           report.dropped_by_limiter, report.dropped_by_player,
                           report.dropped_in_queues)),
      Line("latency", absl::StrFormat("p50 %.1f ms, p99 %.1f ms, from the "
                                      "player to the annotated frame",
                                      Milliseconds(report.latency_p50),
                                      Milliseconds(report.latency_p99))),
      Line("wall time",
           absl::StrFormat("%.2f s, of a video of %.2f s at %.4g frames a "
                           "second",
                           seconds, absl::ToDoubleSeconds(report.video_time),
                           report.AverageRate())));
  if (report.width % 2 != 0 || report.height % 2 != 0) {
    absl::StrAppend(
        &summary,
        Line("size",
             absl::StrFormat("%dx%d, written as %dx%d, since codecs want even "
                             "sizes: the last column or row is left out",
                             report.width, report.height,
                             report.width - report.width % 2,
                             report.height - report.height % 2)));
  }
  absl::StrAppend(&summary, TimesAsLines(report));
  absl::StrAppend(
      &summary,
      Line("written to", absl::Utf8SafeCHexEscape(options.output_path)));
  return summary;
}

}  // namespace syncline
