// Frames and their times from files, numbered images and cameras, and the
// errors if there are none.

#include "calculators/video/video_source.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "calculators/video/container_size.h"
#include "calculators/video/frame_times.h"
#include "calculators/video/image_files_capture.h"
#include "calculators/video/test_clips.h"
#include "framework/deps/clock.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- FrameTimes

TEST(FrameTimesTest, AreThoseOfTheContainer) {
  FrameTimes times(25);
  EXPECT_EQ(times.Next(200), 200000);
  EXPECT_EQ(times.Next(240.0004), 240000);
  EXPECT_EQ(times.Next(1000), 1000000);
}

TEST(FrameTimesTest, RiseWhateverTheContainerSays) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double rate : {25.0, 0.0, -1.0, nan, 1e-300, 1e300}) {
    FrameTimes times(rate);
    std::int64_t last = -1;
    for (const double ms :
         {0.0, 40.0, 40.0, 0.0, nan, -5.0, infinity, 1e300, 160.0, 1e13, 0.0}) {
      const std::int64_t time = times.Next(ms);
      EXPECT_GT(time, last) << rate << ", " << ms;
      last = time;
    }
  }
}

TEST(FrameTimesTest, AFrameWithoutATimeComesAPeriodLater) {
  FrameTimes times(25);
  EXPECT_EQ(times.Next(0), 0);
  EXPECT_EQ(times.Next(40), 40000);
  EXPECT_EQ(times.Next(0), 80000);
  EXPECT_EQ(times.Next(std::nan("")), 120000);
  EXPECT_EQ(times.Next(160), 160000);
}

// --- ClaimedSize

TEST(ClaimedSizeTest, IsTheSizeOfAWholeFile) {
  for (const auto& [name, codec] :
       {std::pair("size.avi", "MJPG"), std::pair("size.mp4", "mp4v"),
        std::pair("size.mkv", "MJPG")}) {
    const std::string path = WriteClip({.name = name, .codec = codec});
    EXPECT_EQ(ClaimedSize(path), FileBytes(path).size()) << name;
    const std::string bytes = FileBytes(path);
    WriteFile(path, bytes.substr(0, bytes.size() - 1));
    EXPECT_EQ(ClaimedSize(path), bytes.size()) << name;
  }
}

TEST(ClaimedSizeTest, IsNotKnownOfOthers) {
  const std::string path = TempPath("other");
  const std::string segment = "\x18\x53\x80\x67";
  for (const std::string& bytes : std::vector<std::string>{
           "", "x", "some text, and more of it",
           std::string("RIFF\0\0\0\0AVI ", 12), "RIFF\xFF\xFF\xFF\xFF",
           std::string("\0\0\0\2ftyp", 8), "\x1A\x45\xDF\xA3",
           "\x1A\x45\xDF\xA3\x80" + segment + "\xFF",
           std::string("\x1A\x45\xDF\xA3\0", 5)}) {
    WriteFile(path, bytes);
    EXPECT_EQ(ClaimedSize(path), absl::nullopt) << bytes;
  }
  EXPECT_EQ(ClaimedSize(TempPath("none")), absl::nullopt);
}

// --- VideoSource

struct Read {
  std::vector<int> numbers;
  std::vector<std::int64_t> times;
  absl::Status status;
};

Read ReadAll(VideoSource& source, int most = 1000) {
  Read read;
  for (int i = 0; i < most; ++i) {
    const absl::StatusOr<bool> is_there = source.Advance();
    read.status = is_there.status();
    if (!is_there.ok() || !*is_there) return read;
    const auto frame = source.TakeFrame();
    read.status = frame.status();
    if (!frame.ok()) return read;
    read.numbers.push_back(FrameNumber(**frame));
    read.times.push_back(source.time_us());
  }
  return read;
}

Read ReadPath(const std::string& path,
              const VideoSource::Options& options = {}) {
  auto source = VideoSource::OpenPath(path, options);
  if (!source.ok()) return {.status = source.status()};
  return ReadAll(**source);
}

TEST(VideoSourceTest, ReadsEveryFrameAtItsTime) {
  for (const auto& [name, codec] :
       {std::pair("read.avi", "MJPG"), std::pair("read.mp4", "mp4v")}) {
    const std::string path =
        WriteClip({.name = name, .frames = 4, .codec = codec});
    auto source = VideoSource::OpenPath(path, {});
    SYNCLINE_ASSERT_OK(source.status());
    EXPECT_EQ((*source)->header().width, 64);
    EXPECT_EQ((*source)->header().height, 48);
    EXPECT_EQ((*source)->header().frame_rate, 10);
    EXPECT_FLOAT_EQ((*source)->header().duration, 0.4f);
    EXPECT_EQ((*source)->header().format, ImageFormat::SRGB);
    const Read read = ReadAll(**source);
    SYNCLINE_EXPECT_OK(read.status);
    EXPECT_THAT(read.numbers, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(read.times, ElementsAre(0, 100000, 200000, 300000));
  }
}

TEST(VideoSourceTest, SaysWhatIsWrongWithAPath) {
  EXPECT_THAT(
      std::string(ReadPath(TempPath("none.avi")).status.message()),
      AllOf(HasSubstr("There is no video file"), HasSubstr("none.avi")));
  EXPECT_EQ(ReadPath("").status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ReadPath(TempPath("")).status.message()),
              HasSubstr("neither a file nor a camera"));
  WriteFile(TempPath("empty.avi"), "");
  EXPECT_THAT(std::string(ReadPath(TempPath("empty.avi")).status.message()),
              HasSubstr("is empty"));
  WriteFile(TempPath("text.avi"), std::string(5000, 'x'));
  EXPECT_THAT(std::string(ReadPath(TempPath("text.avi")).status.message()),
              AllOf(HasSubstr("cannot read"), HasSubstr("text.avi")));
  EXPECT_FALSE(ReadPath("no_such_protocol://x/y").status.ok());
}

TEST(VideoSourceTest, GivesWhatIsLeftOfAFileThatWasCutOff) {
  const std::string path = WriteClip({.name = "cut.avi", .frames = 8});
  CutOff(path);
  const Read read = ReadPath(path);
  EXPECT_EQ(read.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(read.status.message()),
              AllOf(HasSubstr("cut.avi"), HasSubstr("was cut off"),
                    HasSubstr("of 8 frames")));
  EXPECT_GE(read.numbers.size(), 2u);
  EXPECT_LT(read.numbers.size(), 8u);
  const Read allowed = ReadPath(path, {.allow_truncated = true});
  SYNCLINE_EXPECT_OK(allowed.status);
  EXPECT_EQ(allowed.times, read.times);
}

// A capture whose container promises more frames than it has.
class FakeFile : public cv::VideoCapture {
 public:
  FakeFile(double frame_rate, int promised, std::vector<double> times_ms)
      : frame_rate_(frame_rate),
        promised_(promised),
        times_ms_(std::move(times_ms)) {}
  bool isOpened() const override { return true; }
  bool grab() override { return ++grabbed_ <= times_ms_.size(); }
  bool retrieve(cv::OutputArray image, int /*flag*/) override {
    image.assign(cv::Mat(48, 64, CV_8UC3, cv::Scalar::all(4)));
    return true;
  }
  double get(int property) const override {
    switch (property) {
      case cv::CAP_PROP_FPS:
        return frame_rate_;
      case cv::CAP_PROP_FRAME_COUNT:
        return promised_;
      case cv::CAP_PROP_POS_MSEC:
        return times_ms_[grabbed_ - 1];
      default:
        return 0;
    }
  }

 private:
  const double frame_rate_;
  const int promised_;
  const std::vector<double> times_ms_;
  std::size_t grabbed_ = 0;
};

absl::Status StatusOfFile(double frame_rate, int promised,
                          std::vector<double> times_ms) {
  VideoSource source("clip",
                     std::make_unique<FakeFile>(frame_rate, promised, times_ms),
                     false, "", {});
  return ReadAll(source).status;
}

TEST(VideoSourceTest, WhatEndsBeforeHalfOfItsTimeIsDamaged) {
  EXPECT_EQ(StatusOfFile(10, 100, {0, 100, 200}).code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(StatusOfFile(10, 0, {}).code(), absl::StatusCode::kDataLoss);
  SYNCLINE_EXPECT_OK(StatusOfFile(10, 4, {0, 100, 200}));
  // All frames came; the last one lasts for most of the time.
  SYNCLINE_EXPECT_OK(StatusOfFile(0.3, 3, {0, 100, 200}));
  // Few frames came, but over the whole time: the number was a guess.
  SYNCLINE_EXPECT_OK(StatusOfFile(1000, 3000, {0, 900, 1500, 2950}));
}

// Any bytes give an error, or frames with increasing times.
TEST(VideoSourceTest, SurvivesDamageAnywhere) {
  for (const char* const name : {"damaged.avi", "damaged.mp4"}) {
    const std::string path = WriteClip({.name = name, .frames = 5});
    const std::string bytes = FileBytes(path);
    for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 60) {
      for (const char value : {'\0', '\xFF'}) {
        std::string damaged = bytes;
        damaged.replace(at, 6, 6, value);
        WriteFile(path, damaged);
        const Read read = ReadPath(path);
        for (std::size_t i = 1; i < read.times.size(); ++i) {
          EXPECT_GT(read.times[i], read.times[i - 1]);
        }
      }
      WriteFile(path, bytes.substr(0, at));
      ReadPath(path);
    }
  }
}

// --- Numbered image files

void WriteImage(const std::string& name, int number) {
  const Packet frame = ClipFrame(number, Timestamp(0), {}, ImageFormat::GRAY8);
  cv::imwrite(TempPath(name), formats::MatView(&frame.Get<ImageFrame>()));
}

TEST(NumberedFilesTest, AreNamedByOneNumber) {
  for (const char* const path : {"a%d.png", "x/%04d.jpg", "%09d"}) {
    EXPECT_TRUE(IsNumberedFiles(path)) << path;
  }
  for (const char* const path :
       {"a.png", "a%.png", "a%s.png", "%d/a.png", "%4d.png", "%d%d.png",
        "%010d.png", "%00d.png", "%n", "100%", "%99999999999999999999d"}) {
    EXPECT_FALSE(IsNumberedFiles(path)) << path;
  }
}

TEST(NumberedFilesTest, AMissingNumberIsAMissingFrame) {
  for (const int number : {7, 8, 10}) {
    WriteImage("image" + std::to_string(number) + ".png", number);
  }
  WriteImage("image007.png", 1);  // names of another pattern
  auto source =
      VideoSource::OpenPath(TempPath("image%d.png"), {.frame_rate = 10});
  SYNCLINE_ASSERT_OK(source.status());
  EXPECT_EQ((*source)->header().format, ImageFormat::GRAY8);
  EXPECT_EQ((*source)->header().width, 64);
  const Read read = ReadAll(**source);
  SYNCLINE_EXPECT_OK(read.status);
  EXPECT_THAT(read.numbers, ElementsAre(7, 8, 10));
  EXPECT_THAT(read.times, ElementsAre(0, 100000, 300000));
}

TEST(NumberedFilesTest, NamesTheFileThatIsNoImage) {
  WriteImage("mixed1.png", 1);
  WriteFile(TempPath("mixed2.png"), "no image");
  const Read read = ReadPath(TempPath("mixed%d.png"));
  EXPECT_THAT(read.numbers, ElementsAre(1));
  EXPECT_THAT(std::string(read.status.message()), HasSubstr("mixed2.png"));
  EXPECT_EQ(ReadPath(TempPath("nothing%d.png")).status.code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadPath(TempPath("no_folder/%d.png")).status.code(),
            absl::StatusCode::kNotFound);
}

// A JPEG file has no number of frames, only its pixels.
void CutOffImage(const std::string& name) {
  const std::string bytes = FileBytes(TempPath(name));
  WriteFile(TempPath(name), bytes.substr(0, bytes.size() - 10));
}

TEST(NumberedFilesTest, AJpegThatWasCutOffIsAnErrorUnlessAllowed) {
  WriteImage("cut1.jpg", 1);
  WriteImage("cut2.jpg", 2);
  WriteImage("cut3.jpg", 3);
  CutOffImage("cut2.jpg");
  const Read read = ReadPath(TempPath("cut%d.jpg"));
  EXPECT_EQ(read.times.size(), 1u);
  EXPECT_THAT(std::string(read.status.message()),
              AllOf(HasSubstr("cut2.jpg"), HasSubstr("cut off"),
                    HasSubstr("allow_truncated")));
  const Read allowed =
      ReadPath(TempPath("cut%d.jpg"), {.allow_truncated = true});
  SYNCLINE_EXPECT_OK(allowed.status);
  EXPECT_EQ(allowed.times.size(), 3u);
  // The first image sets the size of the video.
  CutOffImage("cut1.jpg");
  EXPECT_THAT(std::string(ReadPath(TempPath("cut%d.jpg")).status.message()),
              HasSubstr("cut1.jpg"));
}

// --- Cameras (a test has none, so these only fail)

class FakeCamera : public cv::VideoCapture {
 public:
  explicit FakeCamera(int frames) : frames_(frames) {}
  bool isOpened() const override { return true; }
  bool grab() override { return frames_-- > 0; }
  bool retrieve(cv::OutputArray image, int /*flag*/) override {
    image.assign(cv::Mat(48, 64, CV_8UC3, cv::Scalar::all(4)));
    return true;
  }
  double get(int property) const override {
    return property == cv::CAP_PROP_FPS ? 30 : -1;
  }

 private:
  int frames_;
};

class StandingClock : public Clock {
 public:
  absl::Time TimeNow() override {
    return absl::FromUnixMicros(1'700'000'000'000'001);
  }
  void Sleep(absl::Duration) override {}
  void SleepUntil(absl::Time) override {}
};

TEST(CameraTest, FramesHaveTheTimesOfTheClock) {
  StandingClock clock;
  VideoSource camera("camera 0", std::make_unique<FakeCamera>(10), true, "",
                     {.clock = &clock});
  const Read read = ReadAll(camera, 3);
  SYNCLINE_EXPECT_OK(read.status);
  EXPECT_THAT(read.times,
              ElementsAre(1'700'000'000'000'001, 1'700'000'000'033'334,
                          1'700'000'000'066'667));
  EXPECT_EQ(camera.header().duration, 0);
  EXPECT_EQ(camera.header().width, 0);
}

TEST(CameraTest, ThatGoesAwayIsAnError) {
  VideoSource camera("camera 0", std::make_unique<FakeCamera>(3), true, "", {});
  const Read read = ReadAll(camera);
  EXPECT_THAT(read.numbers, ElementsAre(0, 0, 0));
  EXPECT_EQ(read.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(read.status.message()),
              AllOf(HasSubstr("camera 0"), HasSubstr("after 3")));
}

TEST(CameraTest, ThatIsNotThereIsAnError) {
  EXPECT_THAT(std::string(VideoSource::OpenCamera(250, {}).status().message()),
              HasSubstr("camera 250"));
}

}  // namespace
}  // namespace syncline
