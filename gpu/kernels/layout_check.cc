#include "gpu/kernels/layout_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {
namespace {

// Of offsets and pitches: products of two such numbers and a side still fit
// into 64 bits.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 42;

}  // namespace

absl::Status CheckRows(absl::string_view kernel, absl::string_view role,
                       std::int64_t offset, std::int64_t rows,
                       std::int64_t row_bytes, std::int64_t pitch,
                       std::size_t buffer_bytes) {
  if (offset < 0 || offset > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": the ", role, " begins at byte ", offset,
                     " of its buffer; give an offset from 0 to 2^42"));
  }
  if (rows == 0 || row_bytes == 0) return absl::OkStatus();
  if (pitch < row_bytes || pitch > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": the rows of the ", role, " have ", row_bytes,
                     " bytes, and the next begins ", pitch,
                     " bytes after the one before; give a pitch from ",
                     row_bytes, " to 2^42"));
  }
  const std::int64_t end = offset + (rows - 1) * pitch + row_bytes;
  if (static_cast<std::uint64_t>(end) > buffer_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": the ", role, " ends at byte ", end,
                     " of its buffer, which has ", buffer_bytes,
                     "; give a larger buffer or the right layout"));
  }
  return absl::OkStatus();
}

absl::Status CheckImage(absl::string_view kernel, absl::string_view role,
                        const PlacedImage& image,
                        std::initializer_list<int> channels) {
  const ImageLayout& layout = image.layout;
  if (layout.width < 0 || layout.height < 0 || layout.width > kMaxImageSide ||
      layout.height > kMaxImageSide ||
      NumPixels(layout) > std::numeric_limits<std::int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        kernel, ": the ", role, " is of ", layout.width, " x ", layout.height,
        " pixels; sides go to 2^20, and there are less than 2^31 pixels"));
  }
  const bool is_usual = layout.channels >= 1 && layout.channels <= 4;
  if (!is_usual ||
      (channels.size() > 0 && std::find(channels.begin(), channels.end(),
                                        layout.channels) == channels.end())) {
    return absl::InvalidArgumentError(absl::StrCat(
        kernel, ": the ", role, " has ", layout.channels,
        " channels; it can have ",
        channels.size() == 0 ? "1 to 4" : absl::StrJoin(channels, " or ")));
  }
  return CheckRows(kernel, role, layout.offset, layout.height,
                   std::int64_t{layout.width} * layout.channels, layout.pitch,
                   image.buffer_bytes);
}

absl::Status CheckSameSize(absl::string_view kernel, const ImageLayout& from,
                           const ImageLayout& to) {
  if (from.width == to.width && from.height == to.height) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(kernel, ": the input is of ", from.width, " x ", from.height,
                   " pixels and the output of ", to.width, " x ", to.height,
                   "; resize one of them first"));
}

}  // namespace syncline::gpu
