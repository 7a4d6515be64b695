#include "examples/gpu_video/video_run.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/file_helpers.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"
#include "gpu/device.h"
#include "gpu/device_service.h"
#include "gpu/kernels/tensor_kernels.h"

namespace syncline {
namespace {

constexpr char kGraph[] = "examples/gpu_video/gpu_video.pbtxt";

std::uint32_t AddToChecksum(std::uint32_t sum, const ImageFrame& picture) {
  const int row = picture.Width() * picture.NumberOfChannels();
  for (int y = 0; y < picture.Height(); ++y) {
    const std::uint8_t* const pixels =
        picture.PixelData() + y * picture.WidthStep();
    for (int i = 0; i < row; ++i) sum = (sum ^ pixels[i]) * 16777619u;
  }
  return sum;
}

// The graph between files, or from a video that is made.
absl::StatusOr<CalculatorGraphConfig> MakeConfig(
    const VideoRunOptions& options) {
  if (!HasVideoFiles() && !(options.input + options.output).empty()) {
    return absl::FailedPreconditionError(
        "this program was built without OpenCV and cannot read or write "
        "videos; install it with ./setup --opencv, or leave out --input and "
        "--output_video");
  }
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(file::GetContents(kGraph, &text));
  CalculatorGraphConfig config =
      ParseTextProtoOrDie<CalculatorGraphConfig>(text);
  config.clear_input_stream();
  // A device is much faster than its host: frames do not pile up on it.
  config.set_max_queue_size(4);
  config.MergeFrom(ParseTextProtoOrDie<CalculatorGraphConfig>(
      options.input.empty()
          ? "node { calculator: 'MovingSquareVideoCalculator' "
            "input_side_packet: 'FRAMES:num_frames' output_stream: 'frames' }"
          : "node { calculator: 'OpenCvVideoDecoderCalculator' "
            "input_side_packet: 'INPUT_FILE_PATH:input' output_stream: "
            "'VIDEO:frames' }"));
  if (!options.output.empty()) {
    config.MergeFrom(ParseTextProtoOrDie<CalculatorGraphConfig>(
        "node { calculator: 'OpenCvVideoEncoderCalculator' input_stream: "
        "'VIDEO:pictures' input_side_packet: 'OUTPUT_FILE_PATH:output' options "
        "{ [syncline.OpenCvVideoEncoderCalculatorOptions.ext] { codec: 'MJPG' "
        "video_format: 'avi' fps: 10 } } }"));
  }
  return config;
}

std::map<std::string, Packet> SidePackets(const VideoRunOptions& options) {
  std::map<std::string, Packet> side_packets;
  if (options.input.empty()) {
    side_packets["num_frames"] = MakePacket<int>(options.frames);
  } else {
    side_packets["input"] = MakePacket<std::string>(options.input);
  }
  if (!options.output.empty()) {
    side_packets["output"] = MakePacket<std::string>(options.output);
  }
  return side_packets;
}

}  // namespace

bool HasVideoFiles() {
  return CalculatorBaseRegistry::IsRegistered("OpenCvVideoDecoderCalculator");
}

std::string FindVtest() {
  std::vector<std::string> paths = {
      "/usr/share/doc/opencv-doc/examples/data/vtest.avi"};
  const auto add_cache = [&paths](const char* variable, const char* folder) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return;
    paths.push_back(
        absl::StrCat(value, folder, "/syncline/pedestrians/vtest.avi"));
  };
  add_cache("XDG_CACHE_HOME", "");
  add_cache("HOME", "/.cache");
  for (const std::string& path : paths) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return "";
}

absl::StatusOr<VideoReport> RunGpuVideo(const VideoRunOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(const CalculatorGraphConfig config,
                            MakeConfig(options));
  std::shared_ptr<gpu::DeviceContext> context = options.context;
  if (context == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(context,
                              gpu::DeviceContext::Create(options.device));
  }
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
  SYNCLINE_RETURN_IF_ERROR(
      graph.SetServiceObject(gpu::kDeviceService, context));
  VideoReport report;
  report.device = context->text();
  report.checksum = 2166136261u;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("pictures", [&](const Packet& packet) {
        const auto& picture = packet.Get<ImageFrame>();
        ++report.pictures;
        report.width = picture.Width();
        report.height = picture.Height();
        report.checksum = AddToChecksum(report.checksum, picture);
        if (options.on_picture != nullptr) options.on_picture(packet);
        return absl::OkStatus();
      }));
  double sum_of_means = 0;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("edge_values", [&](const Packet& packet) {
        sum_of_means += packet.Get<gpu::Statistics>().mean;
        return absl::OkStatus();
      }));
  const gpu::DeviceCounters before = context->device()->counters();
  SYNCLINE_RETURN_IF_ERROR(graph.Run(SidePackets(options)));
  const gpu::DeviceCounters after = context->device()->counters();
  report.works = after.works_submitted - before.works_submitted;
  report.waits = after.waits_submitted - before.waits_submitted;
  report.host_waits = after.host_waits - before.host_waits;
  if (report.pictures > 0) {
    report.mean_of_edges = sum_of_means / report.pictures;
  }
  return report;
}

}  // namespace syncline
