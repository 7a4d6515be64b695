// The pictures are those that the host calculates plainly.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "calculators/gpu/host_images.h"
#include "examples/gpu_video/moving_box.h"
#include "examples/gpu_video/moving_square.h"
#include "examples/gpu_video/video_run.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/rect.pb.h"
#include "framework/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/find_device.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr int kNumFrames = 8;

ImageFrame EdgesOnHost(Timestamp timestamp) {
  return HostEdges(
      HostResize(MovingSquareFrame(timestamp), 320, 240, /*nearest=*/false),
      /*sum_of_sides=*/false);
}

ImageFrame PictureOnHost(Timestamp before, Timestamp timestamp) {
  ImageFrame picture = HostConvert(EdgesOnHost(timestamp), ImageFormat::SRGB);
  // The first frame has no box.
  if (before == timestamp) return picture;
  const NormalizedRect box =
      *MovingBox(MovingSquareFrame(before), MovingSquareFrame(timestamp));
  const auto place = [](float center, float size, int pixels) {
    return static_cast<int>(
        std::lround((double{center} + double{size} / 2) * pixels));
  };
  return HostBoxes(picture,
                   {{place(box.x_center(), -box.width(), 320),
                     place(box.y_center(), -box.height(), 240),
                     place(box.x_center(), box.width(), 320),
                     place(box.y_center(), box.height(), 240)}},
                   2, {0, 255, 0});
}

ImageFrame Gray(int width, int height, std::uint8_t value) {
  ImageFrame frame(ImageFormat::SRGB, width, height);
  for (int y = 0; y < height; ++y) {
    std::fill_n(frame.MutablePixelData() + y * frame.WidthStep(), 3 * width,
                value);
  }
  return frame;
}

TEST(MovingBoxTest, IsAroundAllThatDiffers) {
  const ImageFrame before = Gray(40, 22, 100);
  ImageFrame now = Gray(40, 22, 140);
  EXPECT_FALSE(MovingBox(before, now).has_value());
  // At 8, 4 and at 24, 12; and at a pixel that is not looked at.
  now.MutablePixelData()[4 * now.WidthStep() + 3 * 8 + 2] = 200;
  now.MutablePixelData()[12 * now.WidthStep() + 3 * 24] = 0;
  now.MutablePixelData()[17 * now.WidthStep() + 3 * 33] = 0;
  const NormalizedRect box = *MovingBox(before, now);
  EXPECT_FLOAT_EQ(box.x_center(), 18.0f / 40);
  EXPECT_FLOAT_EQ(box.y_center(), 10.0f / 22);
  EXPECT_FLOAT_EQ(box.width(), 20.0f / 40);
  EXPECT_FLOAT_EQ(box.height(), 12.0f / 22);
}

TEST(MovingBoxTest, EndsWithTheFrame) {
  const NormalizedRect all = *MovingBox(Gray(6, 5, 0), Gray(6, 5, 255));
  EXPECT_FLOAT_EQ(all.x_center(), 0.5f);
  EXPECT_FLOAT_EQ(all.width(), 1);
  EXPECT_FLOAT_EQ(all.height(), 1);
  EXPECT_FALSE(MovingBox(Gray(0, 5, 0), Gray(0, 5, 255)).has_value());
}

TEST(GpuVideoTest, PicturesAndMeanAreThoseOfTheHost) {
  std::vector<Packet> pictures;
  const VideoReport report = *RunGpuVideo(
      {.device = "stand_in",
       .frames = kNumFrames,
       .on_picture = [&](const Packet& p) { pictures.push_back(p); }});
  EXPECT_THAT(report.device, HasSubstr("stand_in:0"));
  EXPECT_EQ(report.pictures, kNumFrames);
  double sum = 0;
  for (int i = 0; i < kNumFrames; ++i) {
    const Timestamp timestamp = pictures[i].Timestamp();
    EXPECT_EQ(timestamp, Timestamp(i * 100000));
    ExpectSameImage(
        pictures[i].Get<ImageFrame>(),
        PictureOnHost(pictures[std::max(i - 1, 0)].Timestamp(), timestamp));
    const ImageFrame edges = EdgesOnHost(timestamp);
    for (int y = 0; y < 240; ++y) {
      for (int x = 0; x < 320; ++x) {
        sum += edges.PixelData()[y * edges.WidthStep() + x];
      }
    }
  }
  EXPECT_DOUBLE_EQ(report.mean_of_edges, sum / (320 * 240) / kNumFrames);
}

TEST(GpuVideoTest, EveryDeviceMakesTheSamePictures) {
  const VideoReport first = *RunGpuVideo({.device = "stand_in:0", .frames = 5});
  const VideoReport second =
      *RunGpuVideo({.device = "stand_in:1", .frames = 5});
  const VideoReport any = *RunGpuVideo({.frames = 5});
  EXPECT_EQ(first.checksum, second.checksum);
  EXPECT_EQ(first.checksum, any.checksum);
  EXPECT_EQ(first.mean_of_edges, any.mean_of_edges);
}

TEST(GpuVideoTest, CudaMakesThePicturesOfTheStandIn) {
  const auto cuda = gpu::FindDevice("cuda:0");
  if (!cuda.ok()) GTEST_SKIP() << cuda.status().message();
  std::vector<Packet> expected;
  std::vector<Packet> pictures;
  const VideoReport on_stand_in = *RunGpuVideo(
      {.device = "stand_in",
       .frames = kNumFrames,
       .on_picture = [&](const Packet& p) { expected.push_back(p); }});
  const VideoReport on_cuda = *RunGpuVideo(
      {.device = "cuda:0",
       .frames = kNumFrames,
       .on_picture = [&](const Packet& p) { pictures.push_back(p); }});
  ASSERT_EQ(pictures.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ExpectSameImage(pictures[i].Get<ImageFrame>(),
                    expected[i].Get<ImageFrame>());
  }
  EXPECT_EQ(on_cuda.checksum, on_stand_in.checksum);
  EXPECT_EQ(on_cuda.mean_of_edges, on_stand_in.mean_of_edges);
}

TEST(GpuVideoTest, VtestIsTakenFromTheCacheOfPedestrians) {
  const std::string home = ::testing::TempDir() + "/home";
  const std::string folder = home + "/.cache/syncline/pedestrians";
  std::filesystem::create_directories(folder);
  setenv("HOME", home.c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
  const std::string before = FindVtest();
  std::ofstream(folder + "/vtest.avi") << "a video";
  // Debian's package, if it is installed, comes first.
  EXPECT_EQ(FindVtest(), before.empty() ? folder + "/vtest.avi" : before);
}

TEST(GpuVideoTest, ADeviceThatIsNotThereIsAnError) {
  const absl::Status status = RunGpuVideo({.device = "stand_in:9"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("stand_in:0"));
}

TEST(GpuVideoTest, AVideoThatIsNotThereIsAnError) {
  const absl::Status status =
      RunGpuVideo({.device = "stand_in", .input = "/no/such.avi"}).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(HasVideoFiles() ? "no/such.avi" : "--opencv"));
}

TEST(GpuVideoTest, AVideoIsWrittenWhereThereIsOpenCv) {
  if (!HasVideoFiles()) GTEST_SKIP() << "built without OpenCV";
  const std::string path = ::testing::TempDir() + "/pictures.avi";
  SYNCLINE_ASSERT_OK(
      RunGpuVideo({.device = "stand_in", .frames = 5, .output = path})
          .status());
  const VideoReport again = *RunGpuVideo({.device = "stand_in", .input = path});
  EXPECT_EQ(again.pictures, 5);
  EXPECT_EQ(again.width, 320);
}

}  // namespace
}  // namespace syncline
