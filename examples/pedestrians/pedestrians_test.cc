// The demonstration on a short generated clip: in batch mode it writes the same
// file for any number of threads; at the video's own rate every drawn box is on
// the frame of its own timestamp, and no frame waits for the detector.
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "examples/pedestrians/demo_video.h"
#include "examples/pedestrians/live_line.h"
#include "examples/pedestrians/measured_run.h"
#include "examples/pedestrians/pedestrian_run.h"
#include "examples/pedestrians/reference_graphs.h"
#include "framework/base/mutex.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_graph.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/port/status_matchers.h"
#include "framework/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Detections = std::vector<Detection>;

constexpr int kFrames = 12;
constexpr absl::Duration kVideoTime = absl::Milliseconds(1200);

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)),
                     std::istreambuf_iterator<char>());
}

// A video of walking figures, ten frames a second.
const std::string& Clip() {
  static const std::string& path = *new std::string([] {
    std::string path = absl::StrCat(::testing::TempDir(), "/walkers.avi");
    const absl::Status written = WriteWalkersVideo(path, kFrames, 320, 240);
    EXPECT_TRUE(written.ok()) << written;
    return path;
  }());
  return path;
}

PedestrianOptions Options(bool realtime, int threads,
                          const std::string& output = "out.avi") {
  cv::setNumThreads(1);
  PedestrianOptions options;
  options.input_path = Clip();
  options.output_path = absl::StrCat(::testing::TempDir(), "/", output);
  options.realtime = realtime;
  options.threads = threads;
  return options;
}

// Records all packets of a stream.
class Recorder {
 public:
  absl::Status Record(const std::string& stream, CalculatorGraph* graph) {
    return graph->ObserveOutputStream(stream, [this](const Packet& packet) {
      MutexLock lock(&mutex_);
      packets_[packet.Timestamp()] = packet;
      return absl::OkStatus();
    });
  }
  const std::map<Timestamp, Packet>& packets() const { return packets_; }

 private:
  Mutex mutex_;
  std::map<Timestamp, Packet> packets_;
};

// Draws these tracks on this frame, without a graph.
Packet Drawn(const Packet& frame, const Packet& tracks) {
  CalculatorHarness drawing(
      "calculator: 'TracksToRenderDataCalculator' input_stream: "
      "'DETECTIONS:in' output_stream: 'RENDER_DATA:out'");
  drawing.Feed("DETECTIONS", {tracks});
  SYNCLINE_EXPECT_OK(drawing.Run());
  CalculatorHarness overlay(
      "calculator: 'AnnotationOverlayCalculator' input_stream: 'IMAGE:a' "
      "input_stream: 'b' output_stream: 'IMAGE:c'");
  overlay.Feed("IMAGE", {frame});
  overlay.Feed("", {drawing.Output("RENDER_DATA")[0]});
  SYNCLINE_EXPECT_OK(overlay.Run());
  return overlay.Output("IMAGE")[0];
}

std::string Pixels(const Packet& packet) {
  const auto& frame = packet.Get<ImageFrame>();
  std::string pixels(
      static_cast<std::size_t>(frame.PixelDataSizeStoredContiguously()), 0);
  frame.CopyToBuffer(reinterpret_cast<std::uint8_t*>(pixels.data()),
                     static_cast<int>(pixels.size()));
  return pixels;
}

TEST(PedestriansTest, WritesTheSameFileForAnyNumberOfThreads) {
  std::string first;
  for (const int threads : {1, 2, 8, 2}) {
    PedestrianRun run(Options(/*realtime=*/false, threads));
    SYNCLINE_ASSERT_OK(run.Prepare());
    Recorder tracks;
    SYNCLINE_ASSERT_OK(tracks.Record("tracks", &run.graph()));
    SYNCLINE_ASSERT_OK(run.Run());
    const PedestrianReport& report = run.report();
    EXPECT_EQ(report.frames.in, kFrames);
    EXPECT_EQ(report.frames.out, kFrames);
    EXPECT_EQ(report.frames.detected, kFrames);
    EXPECT_EQ(report.dropped_by_limiter, 0);
    EXPECT_EQ(report.dropped_by_player, 0);
    EXPECT_EQ(report.dropped_in_queues, 0);
    const std::string bytes = Bytes(Options(false, threads).output_path);
    EXPECT_GT(bytes.size(), 10000);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes == first, true) << threads << " threads";
    // There are enough boxes for a meaningful comparison.
    int boxes = 0;
    for (const auto& [time, packet] : tracks.packets()) {
      boxes += static_cast<int>(packet.Get<Detections>().size());
    }
    EXPECT_GT(boxes, kFrames);
  }
}

TEST(PedestriansTest, DrawsEachBoxOnTheFrameOfItsOwnTimestamp) {
  for (const bool realtime : {true, false}) {
    PedestrianRun run(Options(realtime, /*threads=*/2));
    SYNCLINE_ASSERT_OK(run.Prepare());
    Recorder frames, tracks, annotated;
    SYNCLINE_ASSERT_OK(frames.Record("frames", &run.graph()));
    SYNCLINE_ASSERT_OK(tracks.Record("tracks", &run.graph()));
    SYNCLINE_ASSERT_OK(annotated.Record("annotated_frames", &run.graph()));
    SYNCLINE_ASSERT_OK(run.Run());
    // On a busy machine some frames may be late, as with a camera.
    ASSERT_EQ(static_cast<std::int64_t>(frames.packets().size()) +
                  run.report().dropped_by_player,
              kFrames);
    ASSERT_EQ(annotated.packets().size(), frames.packets().size());
    if (!realtime) {
      EXPECT_EQ(run.report().dropped_by_player, 0);
    }
    int boxes = 0;
    for (const auto& [time, frame] : frames.packets()) {
      ASSERT_EQ(tracks.packets().count(time), 1);
      const Packet& boxes_now = tracks.packets().at(time);
      for (const Detection& detection : boxes_now.Get<Detections>()) {
        EXPECT_EQ(detection.timestamp_usec(), time.Microseconds());
        EXPECT_FALSE(detection.track_id().empty());
        ++boxes;
      }
      EXPECT_EQ(Pixels(annotated.packets().at(time)) ==
                    Pixels(Drawn(frame, boxes_now)),
                true)
          << time;
    }
    EXPECT_GT(boxes, 0);
  }
}

TEST(PedestriansTest, KeepsTheRateOfTheVideoAndDropsAtTheLimiterOnly) {
  PedestrianRun run(Options(/*realtime=*/true, /*threads=*/2));
  SYNCLINE_ASSERT_OK(run.Prepare());
  SYNCLINE_ASSERT_OK(run.Run());
  const PedestrianReport& report = run.report();
  // The player drops only frames that are late, which happens on a busy
  // machine.
  EXPECT_LE(report.dropped_by_player, kFrames / 2);
  EXPECT_EQ(report.frames.in, kFrames - report.dropped_by_player);
  EXPECT_EQ(report.frames.out, report.frames.in);
  EXPECT_EQ(report.frames.refused, report.dropped_by_limiter);
  EXPECT_EQ(report.frames.detected + report.dropped_by_limiter,
            report.frames.in);
  EXPECT_EQ(report.frames.max_in_flight, 1);
  EXPECT_EQ(report.dropped_in_queues, 0);
  EXPECT_DOUBLE_EQ(report.frame_rate, 10);
  EXPECT_EQ(report.video_time, kVideoTime);
  // The last frame is due one period before the end.
  EXPECT_GE(report.wall_time, kVideoTime - absl::Milliseconds(100));
  // As at half the rate of the video.
  EXPECT_LT(report.wall_time, 2 * kVideoTime);
}

TEST(PedestriansTest, NothingWaitsBehindASlowDetector) {
  PedestrianRun run(Options(/*realtime=*/true, /*threads=*/2));
  SYNCLINE_ASSERT_OK(run.Prepare());
  // This time is spent on the detector's thread, as a part of its call.
  SYNCLINE_ASSERT_OK(
      run.graph().ObserveOutputStream("people__people", [](const Packet&) {
        absl::SleepFor(absl::Milliseconds(500));
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(run.Run());
  const PedestrianReport& report = run.report();
  EXPECT_EQ(report.frames.out, kFrames - report.dropped_by_player);
  EXPECT_GT(report.frames.out, kFrames / 2);
  EXPECT_LE(report.frames.detected, 4);
  EXPECT_EQ(report.frames.max_in_flight, 1);
  // A frame that waited for the detector would take half a second.
  EXPECT_LT(report.latency_p50, absl::Milliseconds(250));
}

TEST(PedestriansTest, SaysWhatIsWrongWithFiles) {
  const std::string corrupt = absl::StrCat(::testing::TempDir(), "/bad.avi");
  std::ofstream(corrupt) << "this is no video";
  for (const std::string& input :
       {std::string("/no/such/video.avi"), corrupt, ::testing::TempDir()}) {
    PedestrianOptions options = Options(false, 1, "from_bad.avi");
    options.input_path = input;
    PedestrianRun run(options);
    SYNCLINE_ASSERT_OK(run.Prepare());
    EXPECT_THAT(std::string(run.Run().message()), HasSubstr(input));
  }
  PedestrianOptions options = Options(false, 1);
  options.output_path = "/no/such/folder/out.avi";
  PedestrianRun run(options);
  SYNCLINE_ASSERT_OK(run.Prepare());
  EXPECT_THAT(std::string(run.Run().message()),
              HasSubstr("/no/such/folder/out.avi"));
}

TEST(PedestriansTest, TellsWhereTheTimeOfItsThreadsGoes) {
  const PedestrianOptions options = Options(/*realtime=*/false, 2);
  PedestrianRun run(options);
  SYNCLINE_ASSERT_OK(run.Prepare());
  SYNCLINE_ASSERT_OK(run.Run());
  SYNCLINE_ASSERT_OK(run.CompareTimes());
  const PedestrianReport& report = run.report();
  const MeasuredTimes& times = report.times;
  EXPECT_GT(times.process_calls, 10 * kFrames);
  for (const double ns : times.ns) EXPECT_GT(ns, 0);
  EXPECT_LT(times.Ns(TimeOf::kFramework), times.Ns(TimeOf::kCalculators));
  EXPECT_GT(report.chain_ns_per_call, 0);
  // Bounds that hold on any machine, with any compiler, and next to other
  // programs.
  EXPECT_GT(report.swept_chain_ns_per_call, report.chain_ns_per_call);
  EXPECT_LT(report.stand_ins_ns_per_call, 20 * report.chain_ns_per_call);
  const std::string summary = SummaryOf(options, report);
  for (const std::string part :
       {"12 in, 12 out", "by the limiter", "p99", "framework time",
        "for waking threads", "in a chain of 10", "times the chain",
        "out.avi"}) {
    EXPECT_THAT(summary, HasSubstr(part));
  }
}

TEST(PedestriansTest, ChecksWhatTheFrameworkCosts) {
  PedestrianReport report;
  EXPECT_EQ(CheckTimes(report).code(), absl::StatusCode::kFailedPrecondition);
  report.times.ns[static_cast<int>(TimeOf::kFramework)] = 1;
  report.times.ns[static_cast<int>(TimeOf::kCalculators)] = 1000;
  report.chain_ns_per_call = 50;
  report.stand_ins_ns_per_call = 125;
  EXPECT_NEAR(report.FrameworkShare(), 0.000999, 1e-6);
  SYNCLINE_EXPECT_OK(CheckTimes(report));
  report.stand_ins_ns_per_call = 126;
  EXPECT_THAT(std::string(CheckTimes(report).message()), HasSubstr("-c opt"));
  report.stand_ins_ns_per_call = 125;
  report.times.ns[static_cast<int>(TimeOf::kCalculators)] = 998;
  EXPECT_EQ(CheckTimes(report).code(), absl::StatusCode::kOutOfRange);
}

TEST(PedestriansTest, ComparesGraphsOfItsOwnDecoderOnly) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("CountingSourceCalculator");
  EXPECT_EQ(MeasureStandInsNsPerCall(config, {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(MeasuredRunTest, GivesEachKindOfTimeToItsOwner) {
  // Uses 20 ms of CPU time.
  const auto compute = [] {
    const std::clock_t start = std::clock();
    while (std::clock() - start < CLOCKS_PER_SEC / 50) {
    }
  };
  struct SlowToDie {
    ~SlowToDie() {
      if (die) die();
    }
    std::function<void()> die;
  };
  CalculatorGraphConfig config;
  config.add_input_stream("in");
  CalculatorGraphConfig::Node* node = config.add_node();
  node->set_calculator("PassThroughCalculator");
  node->add_input_stream("in");
  node->add_output_stream("out");
  node = config.add_node();
  node->set_calculator("PacketPresenceCalculator");
  node->add_input_stream("PACKET:out");
  node->add_output_stream("PRESENCE:there");
  SYNCLINE_ASSERT_OK(MeasureCalculators(&config));
  CalculatorGraph graph;
  for (const auto& [name, executor] : MeasuringExecutors(1, &config)) {
    SYNCLINE_ASSERT_OK(graph.SetExecutor(name, executor));
  }
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
      "out", MeasuredObserver([&](const Packet&) { compute(); })));
  ResetMeasuredTimes();
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
      "in", Adopt(new SlowToDie{compute}).At(Timestamp(0))));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  const MeasuredTimes times = GetMeasuredTimes();
  EXPECT_EQ(times.process_calls, 2);
  EXPECT_GT(times.Ns(TimeOf::kPackets), 15e6);
  EXPECT_GT(times.Ns(TimeOf::kObservers), 15e6);
  EXPECT_LT(times.Ns(TimeOf::kCalculators), 10e6);
}

TEST(LiveLineTest, TellsFrameRateAndWhatIsInFlight) {
  FrameCounts before, now;
  before.out = 20;
  now.out = 25;
  now.admitted = 4;
  now.detected = 3;
  now.refused = 21;
  now.latency = absl::Milliseconds(12);
  EXPECT_EQ(LiveText(before, now, absl::Milliseconds(500)),
            "frame 25  10.0 fps  1 in flight  21 dropped  latency 12 ms");
}

}  // namespace
}  // namespace syncline
