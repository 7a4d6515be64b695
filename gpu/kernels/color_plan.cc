#include "gpu/kernels/color_plan.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gpu/kernels/color_kernels.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/layout_check.h"

namespace syncline::gpu {
namespace {

ChannelOrder OrderOf(PixelOrder order) {
  switch (order) {
    case PixelOrder::kRgb:
      return {.red = 0, .green = 1, .blue = 2};
    case PixelOrder::kBgr:
      return {.red = 2, .green = 1, .blue = 0};
    case PixelOrder::kRgba:
      return {.red = 0, .green = 1, .blue = 2, .alpha = 3};
    case PixelOrder::kBgra:
      return {.red = 2, .green = 1, .blue = 0, .alpha = 3};
    default:
      return {};
  }
}

// The three planes. The last sample of u or v is at the end of its row.
absl::Status CheckYuv(const char* kernel, const YuvLayout& yuv,
                      std::size_t bytes) {
  if (yuv.chroma_step < 1 || yuv.chroma_step > 4) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": samples of u are ", yuv.chroma_step,
                     " bytes apart; give 1 to 4"));
  }
  const std::int64_t columns = (std::int64_t{yuv.width} + 1) / 2;
  const std::int64_t rows = (std::int64_t{yuv.height} + 1) / 2;
  const std::int64_t row_bytes =
      columns == 0 ? 0 : (columns - 1) * yuv.chroma_step + 1;
  absl::Status status = CheckRows(kernel, "plane of y", yuv.y_offset,
                                  yuv.height, yuv.width, yuv.y_pitch, bytes);
  if (status.ok()) {
    status = CheckRows(kernel, "plane of u", yuv.u_offset, rows, row_bytes,
                       yuv.chroma_pitch, bytes);
  }
  if (status.ok()) {
    status = CheckRows(kernel, "plane of v", yuv.v_offset, rows, row_bytes,
                       yuv.chroma_pitch, bytes);
  }
  return status;
}

}  // namespace

int NumChannels(PixelOrder order) {
  switch (order) {
    case PixelOrder::kGray:
      return 1;
    case PixelOrder::kRgb:
    case PixelOrder::kBgr:
      return 3;
    default:
      return 4;
  }
}

absl::StatusOr<LaunchPlan<ConvertColorParameters>> PlanConvertColor(
    const PlacedImage& from, PixelOrder from_order, const PlacedImage& to,
    PixelOrder to_order) {
  const char* name = kConvertColor.name;
  absl::Status status =
      CheckImage(name, "input", from, {NumChannels(from_order)});
  if (status.ok()) {
    status = CheckImage(name, "output", to, {NumChannels(to_order)});
  }
  if (status.ok()) status = CheckSameSize(name, from.layout, to.layout);
  if (!status.ok()) return status;
  return LaunchPlan<ConvertColorParameters>{
      &kConvertColor,
      NumPixels(to.layout),
      {from.layout, to.layout, OrderOf(from_order), OrderOf(to_order)}};
}

YuvCoefficients MakeYuvCoefficients(YuvMatrix matrix, YuvRange range) {
  const bool is_limited = range == YuvRange::kLimited;
  const double red = matrix == YuvMatrix::kBt601 ? 0.299 : 0.2126;
  const double blue = matrix == YuvMatrix::kBt601 ? 0.114 : 0.0722;
  const double green = 1 - red - blue;
  const double chroma = is_limited ? 255.0 / 224 : 1;
  const auto fixed = [](double value) {
    return static_cast<std::int32_t>(std::lround(value * 65536));
  };
  return {.black = is_limited ? 16 : 0,
          .luma = fixed(is_limited ? 255.0 / 219 : 1),
          .red_of_v = fixed(2 * (1 - red) * chroma),
          .green_of_u = fixed(-2 * blue * (1 - blue) / green * chroma),
          .green_of_v = fixed(-2 * red * (1 - red) / green * chroma),
          .blue_of_u = fixed(2 * (1 - blue) * chroma)};
}

std::size_t Yuv420Bytes(int width, int height) {
  const std::size_t w = static_cast<std::size_t>(width);
  const std::size_t h = static_cast<std::size_t>(height);
  return w * h + 2 * ((w + 1) / 2) * ((h + 1) / 2);
}

YuvLayout I420Layout(int width, int height) {
  const std::int64_t luma = std::int64_t{width} * height;
  const std::int64_t columns = (width + 1) / 2;
  return {.width = width,
          .height = height,
          .u_offset = luma,
          .v_offset = luma + columns * ((height + 1) / 2),
          .y_pitch = width,
          .chroma_pitch = columns,
          .chroma_step = 1};
}

YuvLayout Nv12Layout(int width, int height) {
  const std::int64_t luma = std::int64_t{width} * height;
  return {.width = width,
          .height = height,
          .u_offset = luma,
          .v_offset = luma + 1,
          .y_pitch = width,
          .chroma_pitch = 2 * std::int64_t{(width + 1) / 2},
          .chroma_step = 2};
}

absl::StatusOr<LaunchPlan<YuvToColorParameters>> PlanYuvToColor(
    const YuvLayout& from, std::size_t from_bytes,
    const YuvCoefficients& coefficients, const PlacedImage& to,
    PixelOrder to_order) {
  const char* name = kYuvToColor.name;
  // First, since it limits the size, which is the input's too.
  absl::Status status = CheckImage(name, "output", to, {NumChannels(to_order)});
  if (status.ok()) {
    status = CheckSameSize(name, {.width = from.width, .height = from.height},
                           to.layout);
  }
  if (status.ok()) status = CheckYuv(name, from, from_bytes);
  if (!status.ok()) return status;
  return LaunchPlan<YuvToColorParameters>{
      &kYuvToColor,
      NumPixels(to.layout),
      {from, to.layout, OrderOf(to_order), coefficients}};
}

}  // namespace syncline::gpu
