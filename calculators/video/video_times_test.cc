// Frames that are not a period apart: their ticks, the times that OpenCV then
// reads from each kind of file, and files that cannot have times.

#include "calculators/video/video_times.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/video/test_clips.h"
#include "calculators/video/video_file.h"
#include "calculators/video/video_source.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Times = std::vector<std::int64_t>;

// --- TicksOf

TEST(FrameTicksTest, FramesAPeriodApartAreEven) {
  for (const double rate : {10.0, 15.0, 25.0, 29.97, 30.0}) {
    Times times;
    for (int i = 0; i < 300; ++i) {
      // Times as in a container that counts milliseconds.
      times.push_back(static_cast<std::int64_t>(i * 1000 / rate + 0.5) * 1000);
    }
    EXPECT_TRUE(TicksOf(times, rate).IsEven()) << rate;
    for (std::int64_t& time : times) time += 7'000'000;
    EXPECT_TRUE(TicksOf(times, rate).IsEven()) << "from the first on";
    times.erase(times.begin() + 100, times.begin() + 103);
    const FrameTicks ticks = TicksOf(times, rate);
    EXPECT_FALSE(ticks.IsEven());
    EXPECT_EQ(ticks.rate, 0) << "some are missing, the others are in time";
    EXPECT_EQ(ticks.ticks[99], 99);
    EXPECT_EQ(ticks.ticks[100], 103);
  }
  // Ten hours, with the rate rounded as in a header.
  Times long_times;
  for (int i = 0; i < 36000; ++i) {
    long_times.push_back(static_cast<std::int64_t>(i * 30.0 * 1001e6 / 30000));
  }
  EXPECT_EQ(TicksOf(long_times, 30000.0f / 1001.0f).rate, 0);
  EXPECT_TRUE(TicksOf({500}, 25).IsEven());
  EXPECT_TRUE(TicksOf({}, 25).IsEven());
}

TEST(FrameTicksTest, OthersHaveTheCoarsestTicksThatFit) {
  const FrameTicks coarse = TicksOf({0, 500000, 700000, 1300000}, 5.4);
  EXPECT_EQ(coarse.rate, 1000);
  EXPECT_EQ(coarse.scale, 100);
  EXPECT_THAT(coarse.ticks, ElementsAre(0, 5, 7, 13));
  const FrameTicks fine = TicksOf({0, 33333, 40000, 41000}, 25);
  EXPECT_EQ(fine.scale, 1);
  EXPECT_THAT(fine.ticks, ElementsAre(0, 33, 40, 41));
  // Frames less than a tick apart get the nearest ticks possible.
  EXPECT_THAT(TicksOf({0, 100, 200, 90000}, 25).ticks,
              ElementsAre(0, 1, 2, 90));
}

// --- SetFrameTimes

struct Read {
  std::vector<int> numbers;
  Times times;
};

Read ReadBack(const std::string& path) {
  Read read;
  auto source = VideoSource::OpenPath(path, {});
  SYNCLINE_EXPECT_OK(source.status());
  while (source.ok()) {
    const auto is_there = (*source)->Advance();
    SYNCLINE_EXPECT_OK(is_there.status());
    if (!is_there.ok() || !*is_there) break;
    const auto frame = (*source)->TakeFrame();
    SYNCLINE_EXPECT_OK(frame.status());
    read.numbers.push_back(FrameNumber(**frame));
    read.times.push_back((*source)->time_us());
  }
  return read;
}

std::vector<std::pair<std::string, std::string>> Files() {
  return {{"times.avi", "MJPG"},
          {"xvid.avi", "XVID"},
          {"times.mp4", "mp4v"},
          {"times.mov", "mp4v"}};
}

TEST(FrameTimesOfFilesTest, AreReadAsTheyWereSet) {
  for (const auto& [name, codec] : Files()) {
    for (const Times& times :
         {Times{0, 500000, 700000, 1300000}, Times{0, 33000, 34000, 9000000},
          Times{0, 100000, 300000, 400000}, Times{0, 1000, 2000, 3000}}) {
      const std::string path =
          WriteClip({.name = name, .frames = 4, .codec = codec});
      SYNCLINE_ASSERT_OK(SetFrameTimes(path, times, 10));
      const Read read = ReadBack(path);
      EXPECT_THAT(read.numbers, ElementsAre(0, 1, 2, 3)) << name;
      ASSERT_EQ(read.times.size(), times.size()) << name;
      for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(read.times[i]),
                    static_cast<double>(times[i]), 500)
            << name << " " << i;
      }
    }
  }
}

TEST(FrameTimesOfFilesTest, EvenFramesAreLeftAsTheyAre) {
  for (const auto& [name, codec] : Files()) {
    const std::string path =
        WriteClip({.name = name, .frames = 3, .codec = codec});
    const std::string bytes = FileBytes(path);
    SYNCLINE_EXPECT_OK(SetFrameTimes(path, {0, 100000, 200000}, 10));
    EXPECT_EQ(FileBytes(path) == bytes, true) << name;
  }
}

TEST(FrameTimesOfFilesTest, OtherFilesAreLeftAsTheyAre) {
  const Times uneven = {0, 500000, 700000};
  const std::string matroska =
      WriteClip({.name = "times.mkv", .frames = 3, .codec = "MJPG"});
  EXPECT_THAT(std::string(SetFrameTimes(matroska, uneven, 10).message()),
              HasSubstr("not in"));
  for (const std::string name : {"damaged.avi", "damaged.mp4"}) {
    const std::string path = WriteClip({.name = name, .frames = 3});
    const std::string bytes = FileBytes(path);
    for (std::size_t size = 0; size < bytes.size();
         size += size < 32 ? 1 : bytes.size() / 100) {
      WriteFile(path, bytes.substr(0, size));
      EXPECT_EQ(SetFrameTimes(path, uneven, 10).code(),
                absl::StatusCode::kUnimplemented)
          << name << " " << size;
      EXPECT_EQ(FileBytes(path).size(), size);
    }
    // With more and fewer times than the file has frames.
    WriteFile(path, bytes);
    for (const Times& others :
         {Times{0, 500000}, Times{0, 500000, 700000, 900000}}) {
      EXPECT_FALSE(SetFrameTimes(path, others, 10).ok()) << name;
      EXPECT_EQ(FileBytes(path) == bytes, true);
    }
  }
  EXPECT_FALSE(SetFrameTimes(TempPath("none.avi"), uneven, 10).ok());
  // Whatever the tables claim, it neither crashes nor needs more memory than
  // the size of the file.
  for (const std::string name : {"claims.avi", "claims.mp4"}) {
    const std::string path = WriteClip({.name = name, .frames = 3});
    const std::string bytes = FileBytes(path);
    for (std::size_t at = 0; at + 4 < bytes.size();
         at += 1 + bytes.size() / 1000) {
      std::string damaged = bytes;
      damaged.replace(at, 4, 4, '\xFF');
      WriteFile(path, damaged);
      const absl::Status status = SetFrameTimes(path, uneven, 10);
      EXPECT_TRUE(status.ok() || absl::IsUnimplemented(status)) << status;
    }
  }
}

}  // namespace
}  // namespace syncline
