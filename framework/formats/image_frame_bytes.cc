#include "framework/formats/image_frame_bytes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Header {
  std::int32_t format;
  std::int32_t width;
  std::int32_t height;
};
static_assert(sizeof(Header) == 12);

absl::Status NoFrame(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("these are not the bytes of an image frame: ", why));
}

// The bytes of the pixels of one row, without padding.
std::int64_t RowBytes(ImageFormat::Format format, int width) {
  return std::int64_t{width} * ImageFrame::NumberOfChannelsForFormat(format) *
         ImageFrame::ChannelSizeForFormat(format);
}

}  // namespace

void AppendImageFrameBytes(const ImageFrame& frame, std::string* bytes) {
  const Header header = {frame.Format(), frame.Width(), frame.Height()};
  bytes->append(reinterpret_cast<const char*>(&header), sizeof(header));
  if (frame.IsEmpty()) return;
  const auto row =
      static_cast<std::size_t>(RowBytes(frame.Format(), frame.Width()));
  bytes->reserve(bytes->size() + row * frame.Height());
  const char* pixels = reinterpret_cast<const char*>(frame.PixelData());
  for (int y = 0; y < frame.Height(); ++y, pixels += frame.WidthStep()) {
    bytes->append(pixels, row);
  }
}

absl::Status ImageFrameFromBytes(absl::string_view bytes, ImageFrame* frame) {
  Header header;
  if (bytes.size() < sizeof(header)) {
    return NoFrame(absl::StrCat("there are ", bytes.size()));
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  bytes.remove_prefix(sizeof(header));
  const auto format = static_cast<ImageFormat::Format>(header.format);
  if (header.format == ImageFormat::UNKNOWN && header.width == 0 &&
      header.height == 0 && bytes.empty()) {
    *frame = ImageFrame();
    return absl::OkStatus();
  }
  if (!IsImageFrameFormat(format)) {
    return NoFrame(absl::StrCat("no frame has format ", header.format));
  }
  if (header.width < 0 || header.height < 0) {
    return NoFrame(absl::StrCat(header.width, " x ", header.height, " pixels"));
  }
  const std::int64_t row = RowBytes(format, header.width);
  // Divides, since the product may overflow 64 bits.
  const bool fits = header.height == 0 || row == 0
                        ? bytes.empty()
                        : bytes.size() % static_cast<std::uint64_t>(row) == 0 &&
                              bytes.size() / static_cast<std::uint64_t>(row) ==
                                  static_cast<std::uint64_t>(header.height);
  // With room for the padding that a frame puts behind its rows.
  constexpr std::uint64_t kMax = std::numeric_limits<int>::max() / 2;
  if (!fits || bytes.size() > kMax ||
      static_cast<std::uint64_t>(header.height) *
              ImageFrame::kDefaultAlignmentBoundary >
          kMax) {
    return NoFrame(absl::StrCat(header.width, " x ", header.height,
                                " pixels of format ", header.format,
                                " do not take ", bytes.size(), " bytes"));
  }
  frame->Reset(format, header.width, header.height);
  std::uint8_t* pixels = frame->MutablePixelData();
  for (int y = 0; y < header.height && row > 0; ++y) {
    std::memcpy(pixels, bytes.data(), static_cast<std::size_t>(row));
    bytes.remove_prefix(static_cast<std::size_t>(row));
    pixels += frame->WidthStep();
  }
  return absl::OkStatus();
}

}  // namespace syncline
