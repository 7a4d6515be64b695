#include "gpu/gpu_buffer.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_bytes.h"

SYNCLINE_REGISTER_DEVICE_WORK(syncline::GpuBuffer);
SYNCLINE_REGISTER_DEVICE_WORK(std::vector<syncline::GpuBuffer>);

namespace syncline {
namespace {

constexpr std::size_t kMaxImageBytes = std::size_t{1} << 40;
constexpr std::size_t kRowMultiple = ImageFrame::kDefaultAlignmentBoundary;

std::string ImageText(ImageFormat::Format format, int width, int height) {
  return absl::StrCat(ImageFormat::Format_Name(format), " ", width, " x ",
                      height);
}

std::size_t RowBytes(ImageFormat::Format format, int width) {
  return static_cast<std::size_t>(width) *
         ImageFrame::NumberOfChannelsForFormat(format) *
         ImageFrame::ByteDepthForFormat(format);
}

absl::Status CheckShape(ImageFormat::Format format, int width, int height) {
  if (!IsImageFrameFormat(format)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A GpuBuffer cannot have the format ", ImageFormat::Format_Name(format),
        "; it can have those of an ImageFrame"));
  }
  if (width < 0 || height < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("A GpuBuffer cannot be ", width, " x ", height,
                     " pixels; give sides of 0 or more"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GpuBuffer> GpuBuffer::Make(gpu::DeviceBuffer memory,
                                          ImageFormat::Format format, int width,
                                          int height, std::size_t row_step,
                                          std::size_t offset) {
  SYNCLINE_RETURN_IF_ERROR(CheckShape(format, width, height));
  GpuBuffer image;
  image.format_ = format;
  image.width_ = width;
  image.height_ = height;
  image.row_step_ = row_step;
  image.offset_ = offset;
  if (!image.has_pixels()) return image;
  const std::size_t row_bytes = RowBytes(format, width);
  const std::size_t size = memory.is_null() ? 0 : memory.size();
  // Divides, since the product may overflow.
  const bool fits =
      offset <= size && row_bytes <= size - offset &&
      (height == 1 || row_step <= (size - offset - row_bytes) / (height - 1));
  if (row_step < row_bytes || !fits) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A GpuBuffer of ", ImageText(format, width, height), " with rows of ",
        row_bytes, " bytes, ", row_step, " bytes apart, from byte ", offset,
        ", does not fit into ", size,
        " bytes of memory; give larger memory or a right distance of rows"));
  }
  image.memory_ = std::move(memory);
  return image;
}

std::size_t GpuBuffer::UsualRowStep(ImageFormat::Format format, int width) {
  if (!IsImageFrameFormat(format) || width < 0) return 0;
  return (RowBytes(format, width) + kRowMultiple - 1) / kRowMultiple *
         kRowMultiple;
}

absl::StatusOr<std::size_t> GpuBuffer::UsualBytes(ImageFormat::Format format,
                                                  int width, int height) {
  SYNCLINE_RETURN_IF_ERROR(CheckShape(format, width, height));
  // The product may be 2^66: a row has up to 2^31 pixels of 16 bytes.
  const std::size_t row_step = UsualRowStep(format, width);
  const auto num_rows = static_cast<std::size_t>(height);
  if (num_rows > 0 && row_step > kMaxImageBytes / num_rows) {
    return absl::InvalidArgumentError(
        absl::StrCat("A GpuBuffer of ", ImageText(format, width, height),
                     " has more than 2^40 bytes; give smaller sides"));
  }
  return row_step * num_rows;
}

int GpuBuffer::channels() const {
  return *this ? ImageFrame::NumberOfChannelsForFormat(format_) : 0;
}

int GpuBuffer::channel_bytes() const {
  return *this ? ImageFrame::ByteDepthForFormat(format_) : 0;
}

std::size_t GpuBuffer::row_bytes() const {
  return *this ? RowBytes(format_, width_) : 0;
}

std::string GpuBuffer::ToText() const {
  return *this ? ImageText(format_, width_, height_) : "no image";
}

}  // namespace syncline
