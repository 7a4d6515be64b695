#include "framework/formats/frame_buffer.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

using Format = FrameBuffer::Format;
using Plane = FrameBuffer::Plane;
using YuvData = FrameBuffer::YuvData;

bool IsYuv(Format format) {
  return format == Format::kNV12 || format == Format::kNV21 ||
         format == Format::kYV12 || format == Format::kYV21;
}

// The data of an image with one plane each for Y, U and V.
YuvData OfThree(const Plane& y, const Plane& u, const Plane& v) {
  return {y.buffer(),
          u.buffer(),
          v.buffer(),
          y.stride().row_stride_bytes,
          u.stride().row_stride_bytes,
          u.stride().pixel_stride_bytes};
}

// The data of an image whose second plane holds U and V alternating.
YuvData OfTwo(const Plane& y, const Plane& uv, bool u_is_first) {
  const std::uint8_t* first = uv.buffer();
  const std::uint8_t* second = first + 1;
  return {y.buffer(),
          u_is_first ? first : second,
          u_is_first ? second : first,
          y.stride().row_stride_bytes,
          uv.stride().row_stride_bytes,
          uv.stride().pixel_stride_bytes};
}

}  // namespace

absl::StatusOr<YuvData> FrameBuffer::GetYuvDataFromFrameBuffer(
    const FrameBuffer& source) {
  const Format format = source.format();
  if (!IsYuv(format)) {
    return absl::InvalidArgumentError(
        "The image is not one of Y, U and V: its format is to be kNV12, kNV21, "
        "kYV12 or kYV21.");
  }
  const bool u_is_first = format == Format::kNV12 || format == Format::kYV21;
  const bool has_three = source.plane_count() == 3;
  const bool needs_three = format == Format::kYV12 || format == Format::kYV21;
  // Some cameras give NV12 in three planes, although U and V share one.
  if (has_three) {
    const Plane& second = source.plane(1);
    const Plane& third = source.plane(2);
    return u_is_first ? OfThree(source.plane(0), second, third)
                      : OfThree(source.plane(0), third, second);
  }
  if (needs_three || source.plane_count() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("An image of ", needs_three ? "kYV12 or kYV21" : "kNV12",
                     needs_three ? " has three planes, not "
                                 : " or kNV21 has two planes, not ",
                     source.plane_count(), "."));
  }
  return OfTwo(source.plane(0), source.plane(1), u_is_first);
}

}  // namespace syncline
