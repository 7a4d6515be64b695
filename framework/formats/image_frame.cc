#include "framework/formats/image_frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/aligned_memory.h"
#include "framework/base/misuse.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {
namespace {

struct PixelShape {
  int channels;
  int channel_size;
};

// Both numbers are 0 for a format that no frame can have.
PixelShape ShapeOf(ImageFormat::Format format) {
  switch (format) {
    case ImageFormat::SRGB:
    case ImageFormat::LAB8:
      return {3, 1};
    case ImageFormat::SRGBA:
    case ImageFormat::SBGRA:
      return {4, 1};
    case ImageFormat::GRAY8:
      return {1, 1};
    case ImageFormat::GRAY16:
      return {1, 2};
    case ImageFormat::SRGB48:
      return {3, 2};
    case ImageFormat::SRGBA64:
      return {4, 2};
    case ImageFormat::VEC32F1:
      return {1, 4};
    case ImageFormat::VEC32F2:
      return {2, 4};
    case ImageFormat::VEC32F4:
      return {4, 4};
    case ImageFormat::UNKNOWN:
    case ImageFormat::YCBCR420P:
    case ImageFormat::YCBCR420P10:
      break;
  }
  return {0, 0};
}

PixelShape ShapeOrMisuse(ImageFormat::Format format) {
  const PixelShape shape = ShapeOf(format);
  if (shape.channels == 0) {
    ReportMisuse(
        absl::InvalidArgumentError(ImageFrame::InvalidFormatString(format)));
  }
  return shape;
}

std::string Described(ImageFormat::Format format, int width, int height) {
  return absl::StrCat("an image of format ", ImageFormat::Format_Name(format),
                      ", ", width, " x ", height);
}

[[noreturn]] void Reject(const std::string& what) {
  ReportMisuse(absl::InvalidArgumentError(what));
}

// The bytes of a row's pixels.
std::int64_t CheckedRowBytes(ImageFormat::Format format, int width,
                             int height) {
  const PixelShape shape = ShapeOrMisuse(format);
  if (width < 0 || height < 0) {
    Reject(absl::StrCat("An image cannot be ", width, " x ", height,
                        " pixels: width and height are 0 or more."));
  }
  return std::int64_t{width} * shape.channels * shape.channel_size;
}

// Checks the distance between rows too, and returns it as an int.
int CheckedWidthStep(ImageFormat::Format format, int width, int height,
                     std::int64_t width_step) {
  const std::int64_t row_bytes = CheckedRowBytes(format, width, height);
  if (width_step < row_bytes) {
    Reject(absl::StrCat("Rows of ", Described(format, width, height), ", take ",
                        row_bytes, " bytes each and cannot be ", width_step,
                        " bytes apart."));
  }
  // Divides, since the product of the two may overflow 64 bits.
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  if (width_step > kMax || (height > 0 && width_step > kMax / height)) {
    Reject(absl::StrCat("The pixels of ", Described(format, width, height),
                        ", take more than the 2 GiB that an image frame can "
                        "have."));
  }
  return static_cast<int>(width_step);
}

void CheckAlignment(std::uint32_t alignment_boundary) {
  if (alignment_boundary == 0 ||
      (alignment_boundary & (alignment_boundary - 1)) != 0) {
    Reject(
        absl::StrCat("The alignment of an image's rows is a power of two, "
                     "and ",
                     alignment_boundary, " is none."));
  }
}

void CopyRows(const std::uint8_t* from, int from_step, std::uint8_t* to,
              int to_step, int row_bytes, int height) {
  if (row_bytes == 0 || height == 0) return;
  if (from_step == row_bytes && to_step == row_bytes) {
    std::memcpy(to, from, std::size_t(row_bytes) * height);
    return;
  }
  for (std::size_t y = 0; y < std::size_t(height); ++y) {
    std::memcpy(to + y * to_step, from + y * from_step, row_bytes);
  }
}

using ImageFrames = std::vector<ImageFrame>;

SYNCLINE_REGISTER_TYPE(ImageFrame, "::syncline::ImageFrame",
                       WriteValueBytes<ImageFrame>, ReadValueBytes<ImageFrame>);
SYNCLINE_REGISTER_TYPE(ImageFrames, "::std::vector<::syncline::ImageFrame>",
                       WriteValueBytes<ImageFrames>,
                       ReadValueBytes<ImageFrames>);

}  // namespace

bool IsImageFrameFormat(ImageFormat::Format format) {
  return ShapeOf(format).channels != 0;
}

const ImageFrame::Deleter ImageFrame::PixelDataDeleter::kArrayDelete =
    std::default_delete<std::uint8_t[]>();
const ImageFrame::Deleter ImageFrame::PixelDataDeleter::kFree = std::free;
const ImageFrame::Deleter ImageFrame::PixelDataDeleter::kAlignedFree =
    FreeAligned;
const ImageFrame::Deleter ImageFrame::PixelDataDeleter::kNone =
    [](std::uint8_t*) {};

ImageFrame::ImageFrame(ImageFormat::Format format, int width, int height,
                       std::uint32_t alignment_boundary) {
  Reset(format, width, height, alignment_boundary);
}

ImageFrame::ImageFrame(ImageFormat::Format format, int width, int height,
                       int width_step, std::uint8_t* pixel_data,
                       Deleter deleter) {
  AdoptPixelData(format, width, height, width_step, pixel_data,
                 std::move(deleter));
}

ImageFrame::ImageFrame(ImageFrame&& other) noexcept {
  *this = std::move(other);
}

ImageFrame& ImageFrame::operator=(ImageFrame&& other) noexcept {
  if (this == &other) return *this;
  format_ = std::exchange(other.format_, ImageFormat::UNKNOWN);
  width_ = std::exchange(other.width_, 0);
  height_ = std::exchange(other.height_, 0);
  width_step_ = std::exchange(other.width_step_, 0);
  pixel_data_ = std::move(other.pixel_data_);
  return *this;
}

int ImageFrame::ChannelSizeForFormat(ImageFormat::Format format) {
  return ShapeOrMisuse(format).channel_size;
}

int ImageFrame::ByteDepthForFormat(ImageFormat::Format format) {
  return ShapeOrMisuse(format).channel_size;
}

int ImageFrame::NumberOfChannelsForFormat(ImageFormat::Format format) {
  return ShapeOrMisuse(format).channels;
}

int ImageFrame::RowBytes() const {
  const PixelShape shape = ShapeOf(format_);
  return width_ * shape.channels * shape.channel_size;
}

int ImageFrame::PixelDataSizeStoredContiguously() const {
  return RowBytes() * height_;
}

bool ImageFrame::IsContiguous() const {
  return !IsEmpty() && width_step_ == RowBytes();
}

bool ImageFrame::IsAligned(std::uint32_t alignment_boundary) const {
  CheckAlignment(alignment_boundary);
  const auto address = reinterpret_cast<std::uintptr_t>(pixel_data_.get());
  return !IsEmpty() && address % alignment_boundary == 0 &&
         width_step_ % alignment_boundary == 0;
}

void ImageFrame::SetToZero() {
  if (!IsEmpty()) std::memset(pixel_data_.get(), 0, PixelDataSize());
}

void ImageFrame::SetAlignmentPaddingAreas() {
  const std::size_t row_bytes = RowBytes();
  for (std::size_t y = 0; !IsEmpty() && y < std::size_t(height_); ++y) {
    std::memset(pixel_data_.get() + y * width_step_ + row_bytes, 0,
                width_step_ - row_bytes);
  }
}

void ImageFrame::Reset(ImageFormat::Format format, int width, int height,
                       std::uint32_t alignment_boundary) {
  CheckAlignment(alignment_boundary);
  const std::int64_t row_bytes = CheckedRowBytes(format, width, height);
  const std::int64_t step = (row_bytes + alignment_boundary - 1) /
                            alignment_boundary * alignment_boundary;
  const int width_step = CheckedWidthStep(format, width, height, step);
  // A frame without pixels still needs an address that is not null.
  const std::size_t bytes = std::size_t(width_step) * height;
  auto* pixels = static_cast<std::uint8_t*>(
      AllocateAligned(std::max<std::size_t>(bytes, 1), alignment_boundary));
  if (pixels == nullptr) {
    ReportMisuse(absl::ResourceExhaustedError(absl::StrCat(
        "There is no memory for ", Described(format, width, height), ".")));
  }
  AdoptPixelData(format, width, height, width_step, pixels,
                 PixelDataDeleter::kAlignedFree);
}

void ImageFrame::AdoptPixelData(ImageFormat::Format format, int width,
                                int height, int width_step,
                                std::uint8_t* pixel_data, Deleter deleter) {
  if (deleter == nullptr) deleter = PixelDataDeleter::kNone;
  std::unique_ptr<std::uint8_t[], Deleter> pixels(pixel_data,
                                                  std::move(deleter));
  const int step = CheckedWidthStep(format, width, height, width_step);
  if (pixels == nullptr && height > 0 && step > 0) {
    Reject(absl::StrCat("The pixels of ", Described(format, width, height),
                        ", are a null pointer."));
  }
  format_ = format;
  width_ = width;
  height_ = height;
  width_step_ = step;
  pixel_data_ = std::move(pixels);
}

std::unique_ptr<std::uint8_t[], ImageFrame::Deleter> ImageFrame::Release() {
  ImageFrame released = std::move(*this);
  return std::move(released.pixel_data_);
}

void ImageFrame::CopyFrom(const ImageFrame& image_frame,
                          std::uint32_t alignment_boundary) {
  if (image_frame.IsEmpty()) {
    *this = ImageFrame();
    return;
  }
  CopyPixelData(image_frame.format_, image_frame.width_, image_frame.height_,
                image_frame.width_step_, image_frame.pixel_data_.get(),
                alignment_boundary);
}

void ImageFrame::CopyPixelData(ImageFormat::Format format, int width,
                               int height, int width_step,
                               const std::uint8_t* pixel_data,
                               std::uint32_t alignment_boundary) {
  CheckedWidthStep(format, width, height, width_step);
  // `pixel_data` may point to the pixels of this frame, so they are copied
  // before the old ones are freed.
  ImageFrame copy(format, width, height, alignment_boundary);
  if (pixel_data == nullptr && copy.PixelDataSizeStoredContiguously() > 0) {
    Reject(absl::StrCat("The pixels of ", Described(format, width, height),
                        ", are a null pointer."));
  }
  CopyRows(pixel_data, width_step, copy.MutablePixelData(), copy.WidthStep(),
           copy.RowBytes(), height);
  *this = std::move(copy);
}

void ImageFrame::CopyPixelData(ImageFormat::Format format, int width,
                               int height, const std::uint8_t* pixel_data,
                               std::uint32_t alignment_boundary) {
  const std::int64_t row_bytes = CheckedRowBytes(format, width, height);
  const int width_step = CheckedWidthStep(format, width, height, row_bytes);
  CopyPixelData(format, width, height, width_step, pixel_data,
                alignment_boundary);
}

template <typename Value>
void ImageFrame::CopyValues(Value* buffer, int buffer_size) const {
  if (IsEmpty()) Reject("An image frame without pixels has none to copy.");
  if (ByteDepth() != sizeof(Value)) {
    Reject(absl::StrCat("The values of ", Described(format_, width_, height_),
                        ", have ", ByteDepth(), " bytes; a buffer of values ",
                        "with ", sizeof(Value), " bytes cannot take them."));
  }
  const int values = PixelDataSizeStoredContiguously() / ByteDepth();
  if (buffer_size < values || (buffer == nullptr && values > 0)) {
    Reject(absl::StrCat("The ", values, " values of ",
                        Described(format_, width_, height_),
                        ", do not fit into a buffer of ",
                        buffer == nullptr ? 0 : buffer_size, "."));
  }
  CopyRows(pixel_data_.get(), width_step_,
           reinterpret_cast<std::uint8_t*>(buffer), RowBytes(), RowBytes(),
           height_);
}

void ImageFrame::CopyToBuffer(std::uint8_t* buffer, int buffer_size) const {
  CopyValues(buffer, buffer_size);
}

void ImageFrame::CopyToBuffer(std::uint16_t* buffer, int buffer_size) const {
  CopyValues(buffer, buffer_size);
}

void ImageFrame::CopyToBuffer(float* buffer, int buffer_size) const {
  CopyValues(buffer, buffer_size);
}

std::string ImageFrame::InvalidFormatString(ImageFormat::Format format) {
  const std::string name = ImageFormat::Format_Name(format);
  return absl::StrCat(
      "An image frame cannot have the format ",
      name.empty() ? absl::StrCat(static_cast<int>(format)) : name, ".");
}

}  // namespace syncline
