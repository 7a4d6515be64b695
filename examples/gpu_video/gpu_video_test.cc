// The pictures are those that the host calculates plainly.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "calculators/gpu/host_images.h"
#include "examples/gpu_video/moving_square.h"
#include "examples/gpu_video/video_run.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/rect.pb.h"
#include "framework/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
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

ImageFrame PictureOnHost(Timestamp timestamp) {
  const Rect box = MovingSquareBox(timestamp);
  const int left = box.x_center() - box.width() / 2;
  const int top = box.y_center() - box.height() / 2;
  return HostBoxes(HostConvert(EdgesOnHost(timestamp), ImageFormat::SRGB),
                   {{left, top, left + box.width(), top + box.height()}}, 2,
                   {0, 255, 0});
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
    ExpectSameImage(pictures[i].Get<ImageFrame>(), PictureOnHost(timestamp));
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
