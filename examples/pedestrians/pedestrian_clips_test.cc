// The demonstration on videos of all kinds: 15, 25 and 30 frames a second and
// uneven ones keep the times of their frames; videos that are gray, have odd
// sizes, a single frame or no frame, or were cut off; and a graph that is too
// slow for its video, which loses frames as a camera does.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "calculators/video/test_clips.h"
#include "calculators/video/video_file.h"
#include "calculators/video/video_source.h"
#include "calculators/vision/walkers.h"
#include "examples/pedestrians/demo_video.h"
#include "examples/pedestrians/pedestrian_run.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Times = std::vector<std::int64_t>;

constexpr int kWidth = 160;
constexpr int kHeight = 120;

// Writes a video of a walking figure with frames at these times; `gray` means
// gray frames.
std::string WriteVideo(const std::string& name, const Times& times_us,
                       double frame_rate, int width = kWidth,
                       int height = kHeight, bool gray = false) {
  const std::string path = TempPath(name);
  auto file = VideoFile::Create(path, {.frame_rate = frame_rate,
                                       .width = width,
                                       .height = height,
                                       .keeps_times = true});
  SYNCLINE_EXPECT_OK(file.status());
  for (const std::int64_t time : times_us) {
    ImageFrame frame = DrawWalkers({{40, 110, 100, 20}}, width, height,
                                   static_cast<double>(time) * 1e-6);
    if (gray) {
      const ClipOptions size = {.width = width, .height = height};
      SYNCLINE_EXPECT_OK(
          (*file)->Write(ClipFrame(0, Timestamp(0), size, ImageFormat::GRAY8)
                             .Get<ImageFrame>(),
                         time));
    } else {
      SYNCLINE_EXPECT_OK((*file)->Write(frame, time));
    }
  }
  SYNCLINE_EXPECT_OK((*file)->Finish());
  return path;
}

Times Even(double frame_rate, int frames) {
  Times times;
  for (int i = 0; i < frames; ++i) {
    times.push_back(std::llround(i * 1e6 / frame_rate));
  }
  return times;
}

struct Video {
  Times times_us;
  int width = 0;
  int height = 0;
};

Video ReadVideo(const std::string& path) {
  Video video;
  auto source = VideoSource::OpenPath(path, {});
  SYNCLINE_EXPECT_OK(source.status());
  if (!source.ok()) return video;
  video.width = (*source)->header().width;
  video.height = (*source)->header().height;
  while (true) {
    const auto is_there = (*source)->Advance();
    SYNCLINE_EXPECT_OK(is_there.status());
    if (!is_there.ok() || !*is_there) return video;
    video.times_us.push_back((*source)->time_us());
  }
}

PedestrianOptions Options(const std::string& input, const std::string& output,
                          bool realtime = false) {
  cv::setNumThreads(1);
  PedestrianOptions options;
  options.input_path = input;
  options.output_path = TempPath(output);
  std::filesystem::remove(options.output_path);
  options.realtime = realtime;
  options.threads = 2;
  return options;
}

absl::Status RunOn(const PedestrianOptions& options, PedestrianReport* report) {
  PedestrianRun run(options);
  SYNCLINE_RETURN_IF_ERROR(run.Prepare());
  const absl::Status status = run.Run();
  *report = run.report();
  return status;
}

void ExpectTimes(const Times& times, const Times& expected,
                 const std::string& what) {
  ASSERT_EQ(times.size(), expected.size()) << what;
  for (std::size_t i = 0; i < times.size(); ++i) {
    // Containers store times in milliseconds.
    EXPECT_NEAR(static_cast<double>(times[i]), static_cast<double>(expected[i]),
                1000)
        << what << ", frame " << i;
  }
}

TEST(PedestrianClipsTest, FramesKeepTheirTimes) {
  struct Clip {
    std::string name;
    Times times;
    double rate;
  };
  PedestrianReport uneven;
  const std::vector<Clip> clips = {
      {"15.avi", Even(15, 6), 15},
      {"25.avi", Even(25, 6), 25},
      {"30.avi", Even(30, 6), 30},
      {"30.mp4", Even(30, 6), 30},
      {"uneven.avi", {0, 500000, 700000, 1300000, 1333000, 1400000}, 5},
      {"uneven.mp4", {0, 500000, 700000, 1300000, 1333000, 1400000}, 5}};
  for (const Clip& clip : clips) {
    const std::string input = WriteVideo(clip.name, clip.times, clip.rate);
    ExpectTimes(ReadVideo(input).times_us, clip.times, clip.name);
    for (const std::string output : {"out.avi", "out.mp4"}) {
      const PedestrianOptions options = Options(input, output);
      PedestrianReport report;
      SYNCLINE_ASSERT_OK(RunOn(options, &report));
      EXPECT_EQ(report.frames.in, 6);
      EXPECT_EQ(report.frames.out, 6);
      ExpectTimes(ReadVideo(options.output_path).times_us, clip.times,
                  absl::StrCat(clip.name, " as ", output));
      uneven = report;
    }
  }
  // Six frames. The last one lasts as long as the container says.
  EXPECT_GT(uneven.AverageRate(), 3);
  EXPECT_LT(uneven.AverageRate(), 5);
}

TEST(PedestrianClipsTest, OtherKindsOfFramesAreNoTrouble) {
  struct Clip {
    std::string name;
    int width;
    int height;
    int frames;
    bool gray;
  };
  for (const Clip& clip : std::vector<Clip>{{"gray.avi", 160, 120, 4, true},
                                            {"one.avi", 160, 120, 1, false},
                                            {"one.mp4", 160, 120, 1, false},
                                            {"tiny.avi", 16, 16, 3, false}}) {
    const std::string input = WriteVideo(clip.name, Even(25, clip.frames), 25,
                                         clip.width, clip.height, clip.gray);
    const PedestrianOptions options = Options(input, "kind.avi");
    PedestrianReport report;
    SYNCLINE_ASSERT_OK(RunOn(options, &report)) << clip.name;
    EXPECT_EQ(report.frames.out, clip.frames) << clip.name;
    const Video video = ReadVideo(options.output_path);
    EXPECT_EQ(video.times_us.size(), static_cast<std::size_t>(clip.frames));
    EXPECT_EQ(video.width, clip.width);
    EXPECT_EQ(video.height, clip.height);
    EXPECT_THAT(SummaryOf(options, report),
                ::testing::Not(HasSubstr("written as")));
  }
}

// Numbered images, which may be gray and of odd sizes, unlike what OpenCV
// writes as a video. Returns the pattern of their names.
std::string WriteImages(const std::string& name, int width, int height,
                        ImageFormat::Format format) {
  const bool is_gray = format == ImageFormat::GRAY8;
  const std::string end = is_gray ? ".pgm" : ".ppm";
  for (int i = 1; i <= 3; ++i) {
    const Packet packet =
        ClipFrame(i, Timestamp(0), {.width = width, .height = height}, format);
    const auto& image = packet.Get<ImageFrame>();
    std::string pixels(
        static_cast<std::size_t>(image.PixelDataSizeStoredContiguously()),
        '\0');
    image.CopyToBuffer(reinterpret_cast<std::uint8_t*>(pixels.data()),
                       static_cast<int>(pixels.size()));
    WriteFile(TempPath(absl::StrCat(name, i, end)),
              absl::StrCat(is_gray ? "P5 " : "P6 ", width, " ", height,
                           " 255\n", pixels));
  }
  return TempPath(absl::StrCat(name, "%d", end));
}

TEST(PedestrianClipsTest, GrayFramesAreNoTrouble) {
  const PedestrianOptions options =
      Options(WriteImages("gray", 160, 120, ImageFormat::GRAY8), "of_gray.avi");
  PedestrianReport report;
  SYNCLINE_ASSERT_OK(RunOn(options, &report));
  EXPECT_EQ(report.frames.out, 3);
  EXPECT_EQ(ReadVideo(options.output_path).times_us.size(), 3u);
}

TEST(PedestrianClipsTest, OddSizesAreWrittenEvenAndItIsSaid) {
  const PedestrianOptions options =
      Options(WriteImages("odd", 161, 121, ImageFormat::SRGB), "even_size.avi");
  PedestrianReport report;
  SYNCLINE_ASSERT_OK(RunOn(options, &report));
  EXPECT_EQ(report.frames.out, 3);
  const Video video = ReadVideo(options.output_path);
  EXPECT_EQ(video.width, 160);
  EXPECT_EQ(video.height, 120);
  EXPECT_THAT(SummaryOf(options, report),
              HasSubstr("161x121, written as 160x120, since codecs want even"));
}

TEST(PedestrianClipsTest, AnEmptyVideoIsAnErrorThatNamesIt) {
  WriteFile(TempPath("empty.avi"), "");
  // A file that is valid up to where the frames should begin, and has none.
  const std::string bytes = FileBytes(WriteVideo("full.avi", Even(25, 2), 25));
  const std::size_t frames = bytes.find("movi");
  ASSERT_NE(frames, std::string::npos);
  WriteFile(TempPath("frameless.avi"), bytes.substr(0, frames + 4));
  for (const std::string name : {"empty.avi", "frameless.avi"}) {
    PedestrianReport report;
    const absl::Status status =
        RunOn(Options(TempPath(name), "nothing.avi"), &report);
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    EXPECT_EQ(report.frames.out, 0);
  }
}

TEST(PedestrianClipsTest, AVideoThatWasCutOffIsTakenIfAllowed) {
  const std::string input = WriteVideo("cut.avi", Even(25, 12), 25);
  CutOff(input);
  PedestrianOptions options = Options(input, "cut_boxes.avi");
  PedestrianReport report;
  const absl::Status status = RunOn(options, &report);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("allow_truncated"));
  options.allow_truncated = true;
  SYNCLINE_EXPECT_OK(RunOn(options, &report));
  EXPECT_GT(report.frames.out, 1);
  EXPECT_LT(report.frames.out, 12);
}

TEST(PedestrianClipsTest, ALiveGraphThatIsTooSlowDropsFramesAndCountsThem) {
  // A video of 1.6 s, of which the graph can draw at most a third.
  constexpr int kFrames = 40;
  const std::string input = WriteVideo("live.avi", Even(25, kFrames), 25);
  const PedestrianOptions options =
      Options(input, "live_boxes.avi", /*realtime=*/true);
  PedestrianRun run(options);
  SYNCLINE_ASSERT_OK(run.Prepare());
  SYNCLINE_ASSERT_OK(
      run.graph().ObserveOutputStream("annotated_frames", [](const Packet&) {
        absl::SleepFor(absl::Milliseconds(120));
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(run.Run());
  const PedestrianReport& report = run.report();
  EXPECT_GT(report.dropped_by_player, 10);
  EXPECT_EQ(report.frames.in + report.dropped_by_player, kFrames);
  EXPECT_EQ(report.frames.out, report.frames.in);
  // Drawing all frames would take 4.8 s.
  EXPECT_LT(report.wall_time, absl::Seconds(4));
  EXPECT_THAT(
      SummaryOf(options, report),
      HasSubstr(absl::StrCat(report.dropped_by_player, " by the player")));
  // Dropped frames do not move the times of the others.
  const Times times = ReadVideo(options.output_path).times_us;
  EXPECT_EQ(times.size(), static_cast<std::size_t>(report.frames.out));
  for (const std::int64_t time : times) {
    EXPECT_LE(std::abs(time -
                       std::llround(static_cast<double>(time) / 40000) * 40000),
              1000)
        << time;
  }
  EXPECT_GT(times.back(), 800'000);
}

TEST(PedestrianClipsTest, TheSummaryTellsHowManyBoxesThereWere) {
  const std::string input = TempPath("boxes.avi");
  SYNCLINE_ASSERT_OK(WriteWalkersVideo(input, 6, 320, 240));
  const PedestrianOptions options = Options(input, "boxes_out.avi");
  PedestrianReport report;
  SYNCLINE_ASSERT_OK(RunOn(options, &report));
  EXPECT_GT(report.boxes.drawn, 0);
  EXPECT_GE(report.boxes.drawn, report.boxes.frames);
  EXPECT_GE(report.boxes.most, 1);
  EXPECT_LE(report.boxes.frames, 6);
  EXPECT_THAT(
      SummaryOf(options, report),
      HasSubstr(absl::StrCat("boxes           ", report.boxes.drawn, ", in ",
                             report.boxes.frames, " of the frames, at most ",
                             report.boxes.most, " in one")));
}

}  // namespace
}  // namespace syncline
