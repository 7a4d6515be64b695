// In batch mode the demonstration repeats its recording byte by byte: all
// frames, boxes and decisions, for any number of threads. A change of the video
// is detected.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "examples/pedestrians/demo_video.h"
#include "examples/pedestrians/pedestrian_run.h"
#include "framework/port/status_matchers.h"
#include "framework/recording.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr int kFrames = 12;

std::string TempPath(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

PedestrianOptions Batch(const std::string& video, int threads) {
  PedestrianOptions options;
  options.input_path = TempPath(video);
  options.output_path = TempPath("out.avi");
  options.realtime = false;
  options.threads = threads;
  return options;
}

void Record(const std::string& video, const std::string& recording) {
  std::filesystem::remove(recording);
  PedestrianRun run(Batch(video, /*threads=*/2));
  SYNCLINE_ASSERT_OK(run.Prepare());
  RecordingOptions options;
  options.streams = {"*"};
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto recorder, GraphRecorder::Create(&run.graph(), recording, options));
  SYNCLINE_ASSERT_OK(recorder->Start({}));
  const absl::Status status = run.Run();
  SYNCLINE_ASSERT_OK(status);
  SYNCLINE_ASSERT_OK(recorder->Finish(status));
}

// Runs the demonstration on the video and compares the run with the recording.
absl::Status Replay(const std::string& video, int threads,
                    const std::string& recording, std::int64_t* packets) {
  PedestrianRun run(Batch(video, threads));
  SYNCLINE_RETURN_IF_ERROR(run.Prepare());
  SYNCLINE_ASSIGN_OR_RETURN(auto check,
                            ReplayCheck::Create(&run.graph(), recording, {}));
  SYNCLINE_RETURN_IF_ERROR(run.Run());
  const absl::Status status = check->Finish();
  *packets = check->packets();
  return status;
}

TEST(PedestriansReplayTest, IsTheSameToTheByteForAnyNumberOfThreads) {
  SYNCLINE_ASSERT_OK(
      WriteWalkersVideo(TempPath("walkers.avi"), kFrames, 320, 240));
  const std::string recording = TempPath("walkers.syncline");
  Record("walkers.avi", recording);
  std::int64_t first_packets = 0;
  for (const int threads : {1, 2, 8}) {
    std::int64_t packets = 0;
    SYNCLINE_EXPECT_OK(Replay("walkers.avi", threads, recording, &packets));
    // At least the frames as read, the frames as drawn, and the boxes and
    // decisions for them.
    EXPECT_GT(packets, 4 * kFrames);
    if (first_packets == 0) first_packets = packets;
    EXPECT_EQ(packets, first_packets);
  }

  SYNCLINE_ASSERT_OK(
      WriteWalkersVideo(TempPath("more.avi"), kFrames + 1, 320, 240));
  std::int64_t packets = 0;
  const absl::Status longer = Replay("more.avi", 2, recording, &packets);
  EXPECT_EQ(longer.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(longer.message(), HasSubstr("differs from the recording"));
}

}  // namespace
}  // namespace syncline
