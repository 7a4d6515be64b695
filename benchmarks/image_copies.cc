// Measures what calculators of images allocate for one frame: it shows whether
// they copy frames that they only read.
//
//   ./bazelw run -c opt //benchmarks:image_copies
//
// Each calculator gets frames of 640x480 in SRGB one by one, without a graph,
// so that all allocations are its own. Counted are blocks of memory as large as
// a gray picture of the frame (one byte for each pixel) or larger:
//
//   blocks, bytes   for each frame
//   of_colour       blocks that it takes for a frame in colours, and not for
//                   one in gray; "of_colour_bytes" is how many bytes they have
//
// Other memory of a calculator, such as gradients, depends on the size of the
// frame and not on its colours. So a calculator that works on a gray picture
// allocates one more block for a frame in colours: the gray picture, a third of
// the frame's bytes. A copy of the frame would be a block of all its bytes.
//
// Thread rule: single-threaded.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "calculators/vision/walkers.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/timestamp.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"
#include "testing/large_blocks.h"

namespace syncline {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;
constexpr int kFrames = 4;

struct Subject {
  std::string name;
  std::string input;  // tag
  std::string rest;   // of the node
};

std::vector<Subject> Subjects() {
  const std::string cascade =
      "options { [syncline.CascadeDetectorCalculatorOptions.ext] { "
      "cascade_path: '/usr/share/opencv4/haarcascades/"
      "haarcascade_frontalface_default.xml' } }";
  return {
      // Calculators that read the frame, and send something else or nothing.
      {"PeopleDetectorCalculator", "IMAGE", "output_stream: 'DETECTIONS:b'"},
      {"CascadeDetectorCalculator", "IMAGE",
       absl::StrCat("output_stream: 'DETECTIONS:b' ", cascade)},
      {"OpticalFlowTrackerCalculator", "IMAGE",
       "input_stream: 'DETECTIONS:c' output_stream: 'DETECTIONS:b'"},
      {"ImagePropertiesCalculator", "IMAGE", "output_stream: 'SIZE:b'"},
      // Calculators that send the frame on.
      {"PassThroughCalculator", "IMAGE", "output_stream: 'IMAGE:b'"},
      {"GateCalculator", "",
       "input_stream: 'ALLOW:c' output_stream: 'b' options { "
       "[syncline.GateCalculatorOptions.ext] { empty_packets_as_allow: true } "
       "}"},
      {"PacketThinnerCalculator", "", "output_stream: 'b'"},
      {"ImageTransformationCalculator", "IMAGE", "output_stream: 'IMAGE:b'"},
      {"ToImageCalculator", "IMAGE_CPU", "output_stream: 'IMAGE:b'"},
      // Calculators that send a frame of their own: one block, for the new
      // frame.
      {"AnnotationOverlayCalculator", "IMAGE", "output_stream: 'IMAGE:b'"},
      {"LuminanceCalculator", "", "output_stream: 'b'"},
      {"SobelEdgesCalculator", "", "output_stream: 'b'"},
      {"ImageCroppingCalculator", "IMAGE",
       "output_stream: 'IMAGE:b' options { "
       "[syncline.ImageCroppingCalculatorOptions.ext] { width: 640 height: "
       "470 norm_center_x: 0.5 norm_center_y: 0.5 } }"},
  };
}

ImageFrame Scene(ImageFormat::Format format) {
  ImageFrame colours = DrawWalkers({{200, 440, 300, 30}}, kWidth, kHeight, 0);
  if (format == ImageFormat::SRGB) return colours;
  ImageFrame gray(format, kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      gray.MutablePixelData()[y * gray.WidthStep() + x] =
          colours.PixelData()[y * colours.WidthStep() + 3 * x];
    }
  }
  return gray;
}

std::unique_ptr<CalculatorHarness> Harness(const Subject& subject,
                                           ImageFormat::Format format) {
  const std::string tag =
      subject.input.empty() ? "" : absl::StrCat(subject.input, ":");
  auto harness = std::make_unique<CalculatorHarness>(
      absl::StrCat("calculator: '", subject.name, "' input_stream: '", tag,
                   "a' ", subject.rest));
  std::vector<Packet> frames;
  for (int i = 0; i < kFrames; ++i) {
    frames.push_back(MakePacket<ImageFrame>(Scene(format)).At(Timestamp(i)));
  }
  harness->Feed(subject.input, std::move(frames));
  return harness;
}

// The allocations for each frame; or the reason why there are none.
absl::StatusOr<LargeBlocks> Count(const Subject& subject,
                                  ImageFormat::Format format) {
  const auto harness = Harness(subject, format);
  // makes the allocations that are made only once
  absl::Status status = harness->Run();
  // A little less than a gray picture, since some calculators leave out rows.
  StartCountingLargeBlocks(std::size_t{kWidth} * kHeight * 9 / 10);
  status.Update(harness->Run());
  if (!status.ok()) return status;
  return GetLargeBlocks();
}

void RunFrames(benchmark::State& state, const Subject& subject) {
  const absl::StatusOr<LargeBlocks> colours = Count(subject, ImageFormat::SRGB);
  if (!colours.ok()) {
    state.SkipWithError(colours.status().ToString().c_str());
    return;
  }
  const auto harness = Harness(subject, ImageFormat::SRGB);
  for (auto _ : state) benchmark::DoNotOptimize(harness->Run());
  state.SetItemsProcessed(kFrames *
                          static_cast<std::int64_t>(state.iterations()));
  const auto show = [&](const char* name, std::int64_t value) {
    state.counters[name] = static_cast<double>(value) / kFrames;
  };
  show("blocks", colours->blocks);
  show("bytes", colours->bytes);
  // The same with gray frames, if the calculator accepts them.
  const absl::StatusOr<LargeBlocks> gray = Count(subject, ImageFormat::GRAY8);
  if (!gray.ok()) return;
  show("of_colour", colours->blocks - gray->blocks);
  show("of_colour_bytes", colours->bytes - gray->bytes);
}

void RegisterAll() {
  for (const Subject& subject : Subjects()) {
    benchmark::RegisterBenchmark(
        subject.name.c_str(),
        [subject](benchmark::State& state) { RunFrames(state, subject); })
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  syncline::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
