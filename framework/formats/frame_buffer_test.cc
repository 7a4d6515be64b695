#include "framework/formats/frame_buffer.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Format = FrameBuffer::Format;

// Planes at different addresses.
std::vector<FrameBuffer::Plane> Planes(int count, std::uint8_t* memory) {
  std::vector<FrameBuffer::Plane> planes;
  for (int i = 0; i < count; ++i) {
    planes.emplace_back(memory + 100 * i, FrameBuffer::Stride{10 + i, 1 + i});
  }
  return planes;
}

TEST(FrameBufferTest, HasPlanesAndHowItIsTurned) {
  std::uint8_t memory[300];
  FrameBuffer buffer(Planes(1, memory), {4, 2}, Format::kRGBA,
                     FrameBuffer::Orientation::kRightTop);
  EXPECT_EQ(buffer.plane_count(), 1);
  EXPECT_EQ(buffer.plane(0).buffer(), memory);
  EXPECT_EQ(buffer.mutable_plane(0).mutable_buffer(), memory);
  EXPECT_EQ(buffer.plane(0).stride(), (FrameBuffer::Stride{10, 1}));
  EXPECT_EQ(buffer.format(), Format::kRGBA);
  EXPECT_EQ(buffer.orientation(), FrameBuffer::Orientation::kRightTop);
  FrameBuffer::Dimension size = buffer.dimension();
  EXPECT_EQ(size.Size(), 8);
  size.Swap();
  EXPECT_EQ(size, (FrameBuffer::Dimension{2, 4}));
  EXPECT_FALSE(size >= buffer.dimension());
  EXPECT_EQ(FrameBuffer({}, {1, 1}, Format::kGRAY).orientation(),
            FrameBuffer::Orientation::kTopLeft);
}

TEST(FrameBufferTest, ColoursAreFoundInEachFormat) {
  std::uint8_t memory[300];
  const struct {
    Format format;
    int planes;
    int u;
    int v;
  } kCases[] = {
      {Format::kNV12, 2, 100, 101}, {Format::kNV21, 2, 101, 100},
      {Format::kNV12, 3, 100, 200}, {Format::kNV21, 3, 200, 100},
      {Format::kYV21, 3, 100, 200}, {Format::kYV12, 3, 200, 100},
  };
  for (const auto& [format, planes, u, v] : kCases) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const FrameBuffer::YuvData data,
        FrameBuffer::GetYuvDataFromFrameBuffer(
            FrameBuffer(Planes(planes, memory), {4, 2}, format)));
    EXPECT_EQ(data.y_buffer, memory);
    EXPECT_EQ(data.u_buffer, memory + u);
    EXPECT_EQ(data.v_buffer, memory + v);
    EXPECT_EQ(data.y_row_stride, 10);
    EXPECT_GE(data.uv_row_stride, 11);
    EXPECT_GE(data.uv_pixel_stride, 2);
  }
}

TEST(FrameBufferTest, OtherFormatsAndNumbersOfPlanesAreErrors) {
  std::uint8_t memory[400];
  const auto status = [&](Format format, int planes) {
    return FrameBuffer::GetYuvDataFromFrameBuffer(
        FrameBuffer(Planes(planes, memory), {4, 2}, format));
  };
  for (const auto& result :
       {status(Format::kRGB, 1), status(Format::kUNKNOWN, 3),
        status(Format::kNV12, 0), status(Format::kNV12, 1),
        status(Format::kNV21, 4), status(Format::kYV12, 2)}) {
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace syncline
