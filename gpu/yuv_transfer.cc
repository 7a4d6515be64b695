#include "gpu/yuv_transfer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/formats/fourcc.h"
#include "gpu/kernels/color_plan.h"

namespace syncline::gpu {
namespace {

// Some letters, or a number where they are none.
std::string FormatText(libyuv::FourCC fourcc) {
  const auto code = static_cast<std::uint32_t>(fourcc);
  std::string letters;
  for (int shift = 0; shift < 32; shift += 8) {
    letters += static_cast<char>((code >> shift) & 0xffu);
  }
  for (const char letter : letters) {
    if (letter < ' ' || letter > '~') return absl::StrCat("number ", code);
  }
  return absl::StrCat("\"", letters, "\"");
}

std::string ImageText(const YUVImage& image) {
  return absl::StrCat("the YUVImage of ", image.width(), " x ", image.height(),
                      " in format ", FormatText(image.fourcc()));
}

bool IsInterleaved(libyuv::FourCC fourcc) {
  return fourcc == libyuv::FOURCC_NV12 || fourcc == libyuv::FOURCC_NV21;
}
bool HasVBeforeU(libyuv::FourCC fourcc) {
  return fourcc == libyuv::FOURCC_YV12 || fourcc == libyuv::FOURCC_NV21;
}

// The layout of a format that is known.
absl::StatusOr<YuvLayout> LayoutOf(const YUVImage& image) {
  const libyuv::FourCC fourcc = image.fourcc();
  const bool is_known = IsInterleaved(fourcc) ||
                        fourcc == libyuv::FOURCC_I420 ||
                        fourcc == libyuv::FOURCC_YV12;
  if (!is_known || image.bit_depth() != 8) {
    return absl::InvalidArgumentError(absl::StrCat(
        ImageText(image), " with ", image.bit_depth(),
        " bits cannot go to a device; give I420, YV12, NV12 or NV21 of 8 bits, "
        "or convert it on the host"));
  }
  YuvLayout layout = IsInterleaved(fourcc)
                         ? Nv12Layout(image.width(), image.height())
                         : I420Layout(image.width(), image.height());
  if (HasVBeforeU(fourcc)) std::swap(layout.u_offset, layout.v_offset);
  return layout;
}

absl::StatusOr<YuvMatrix> MatrixOf(const YUVImage& image) {
  switch (image.matrix_coefficients()) {
    case YUVImage::COLOR_MATRIX_COEFFICIENTS_BT709:
      return YuvMatrix::kBt709;
    case YUVImage::COLOR_MATRIX_COEFFICIENTS_BT470BG:
    case YUVImage::COLOR_MATRIX_COEFFICIENTS_SMPTE170M:
    case YUVImage::COLOR_MATRIX_COEFFICIENTS_UNSPECIFIED:
      return YuvMatrix::kBt601;
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          ImageText(image), " has the matrix coefficients ",
          static_cast<int>(image.matrix_coefficients()),
          " of ISO/IEC 23001-8; devices know 1 (BT.709) and 5 and 6 (BT.601): "
          "convert it on the host"));
  }
}

struct Plane {
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  // Where it begins on the device.
  std::size_t offset = 0;
};

// The planes in the order of the image.
struct Planes {
  Plane planes[YUVImage::kMaxNumPlanes];
  int number = 0;
};

Planes PlanesOf(const YUVImage& image) {
  const auto width = static_cast<std::size_t>(image.width());
  const auto height = static_cast<std::size_t>(image.height());
  const std::size_t columns = (width + 1) / 2;
  const std::size_t rows = (height + 1) / 2;
  const std::size_t luma = width * height;
  if (IsInterleaved(image.fourcc())) {
    return {{{height, width, 0}, {rows, 2 * columns, luma}}, 2};
  }
  return {{{height, width, 0},
           {rows, columns, luma},
           {rows, columns, luma + rows * columns}},
          3};
}

absl::Status CheckPlanes(const YUVImage& image) {
  const Planes planes = PlanesOf(image);
  for (int i = 0; i < planes.number; ++i) {
    const std::size_t row_bytes = planes.planes[i].row_bytes;
    if (image.data(i) != nullptr && image.stride(i) >= 0 &&
        static_cast<std::size_t>(image.stride(i)) >= row_bytes) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat(ImageText(image), ": plane ", i,
                     image.data(i) == nullptr
                         ? std::string(" is missing")
                         : absl::StrCat(" has rows of ", image.stride(i),
                                        " bytes; it needs ", row_bytes)));
  }
  return absl::OkStatus();
}

absl::Status CheckMemory(const char* what, const DeviceBuffer& memory,
                         std::size_t bytes) {
  const std::size_t size = memory.is_null() ? 0 : memory.size();
  if (size >= bytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Upload of a YUVImage: the ",
                                                 what, " memory has ", size,
                                                 " bytes; give ", bytes));
}

}  // namespace

absl::StatusOr<YuvPlanes> PlanYuvPlanes(const YUVImage& image) {
  if (image.width() < 0 || image.height() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(ImageText(image), " has a side below 0"));
  }
  YuvPlanes planes;
  SYNCLINE_ASSIGN_OR_RETURN(planes.layout, LayoutOf(image));
  SYNCLINE_ASSIGN_OR_RETURN(const YuvMatrix matrix, MatrixOf(image));
  planes.coefficients = MakeYuvCoefficients(
      matrix, image.full_range() ? YuvRange::kFull : YuvRange::kLimited);
  if (image.width() == 0 || image.height() == 0) return planes;
  SYNCLINE_RETURN_IF_ERROR(CheckPlanes(image));
  planes.bytes = Yuv420Bytes(image.width(), image.height());
  return planes;
}

absl::Status UploadYuv(const Stream& stream, const YUVImage& image,
                       const DeviceBuffer& staging, const DeviceBuffer& to) {
  SYNCLINE_ASSIGN_OR_RETURN(const YuvPlanes plan, PlanYuvPlanes(image));
  if (plan.bytes == 0) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(CheckMemory("staging", staging, plan.bytes));
  SYNCLINE_RETURN_IF_ERROR(CheckMemory("device", to, plan.bytes));
  {
    SYNCLINE_ASSIGN_OR_RETURN(const HostView view, staging.ViewForWriting());
    const Planes planes = PlanesOf(image);
    for (int i = 0; i < planes.number; ++i) {
      const Plane& plane = planes.planes[i];
      for (std::size_t y = 0; y < plane.rows; ++y) {
        std::memcpy(
            view.mutable_bytes().data() + plane.offset + y * plane.row_bytes,
            image.data(i) + y * static_cast<std::size_t>(image.stride(i)),
            plane.row_bytes);
      }
    }
  }
  return stream.Copy(Writes(to), Reads(staging), {.bytes = plan.bytes});
}

}  // namespace syncline::gpu
