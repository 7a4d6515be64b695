#include "gpu/image_transfer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/formats/image_format.pb.h"

namespace syncline::gpu {
namespace {

absl::Status CheckStaging(absl::string_view what, const GpuBuffer& image,
                          const DeviceBuffer& staging) {
  const std::size_t size = staging.is_null() ? 0 : staging.size();
  if (size < StagingBytes(image)) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " of ", image.ToText(), ": the staging memory has ",
                     size, " bytes; give ", StagingBytes(image)));
  }
  return absl::OkStatus();
}

void CopyRows(const ImageFrame& frame, const GpuBuffer& image,
              absl::Span<std::byte> to) {
  const std::size_t step = static_cast<std::size_t>(frame.WidthStep());
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height()); ++y) {
    std::memcpy(to.data() + y * image.row_step(), frame.PixelData() + y * step,
                image.row_bytes());
  }
}

// Without what lies behind the last row, which the image may not have.
std::size_t CopiedBytes(const GpuBuffer& image) {
  return StagingBytes(image) - image.row_step() + image.row_bytes();
}

// What a frame has instead of memory of its own.
struct StagingOfFrame {
  DeviceBuffer memory;
  HostView view;
};

}  // namespace

std::size_t StagingBytes(const GpuBuffer& image) {
  if (!image.has_pixels()) return 0;
  return static_cast<std::size_t>(image.height()) * image.row_step();
}

absl::Status Upload(const Stream& stream, const ImageFrame& frame,
                    const DeviceBuffer& staging, const GpuBuffer& image) {
  if (frame.Format() != image.format() || frame.Width() != image.width() ||
      frame.Height() != image.height()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Upload of a frame ", ImageFormat::Format_Name(frame.Format()), " ",
        frame.Width(), " x ", frame.Height(), " to a GpuBuffer ",
        image.ToText(), "; give one of the same format and size"));
  }
  if (!image.has_pixels()) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(CheckStaging("Upload", image, staging));
  {
    SYNCLINE_ASSIGN_OR_RETURN(const HostView view, staging.ViewForWriting());
    CopyRows(frame, image, view.mutable_bytes());
  }
  return stream.Copy(
      Writes(image.memory()), Reads(staging),
      {.to_offset = image.offset(), .bytes = CopiedBytes(image)});
}

absl::StatusOr<ImageFrame> Download(const Stream& stream,
                                    const GpuBuffer& image,
                                    DeviceBuffer staging) {
  if (!image) {
    return absl::InvalidArgumentError("Download of a GpuBuffer without image");
  }
  if (!image.has_pixels()) {
    return ImageFrame(image.format(), image.width(), image.height());
  }
  SYNCLINE_RETURN_IF_ERROR(CheckStaging("Download", image, staging));
  if (StagingBytes(image) > std::numeric_limits<std::int32_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Download of ", image.ToText(),
                     ": a frame has at most 2 GiB; resize or cut it before"));
  }
  SYNCLINE_RETURN_IF_ERROR(stream.Copy(
      Writes(staging), Reads(image.memory()),
      {.from_offset = image.offset(), .bytes = CopiedBytes(image)}));
  SYNCLINE_RETURN_IF_ERROR(stream.Synchronize());
  SYNCLINE_ASSIGN_OR_RETURN(HostView view, staging.ViewForWriting());
  auto* const pixels =
      reinterpret_cast<std::uint8_t*>(view.mutable_bytes().data());
  auto kept = std::make_shared<StagingOfFrame>(
      StagingOfFrame{std::move(staging), std::move(view)});
  return ImageFrame(
      image.format(), image.width(), image.height(),
      static_cast<int>(image.row_step()), pixels,
      [kept = std::move(kept)](std::uint8_t*) mutable { kept = nullptr; });
}

}  // namespace syncline::gpu
