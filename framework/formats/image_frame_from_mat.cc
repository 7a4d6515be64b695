#include "framework/formats/image_frame_from_mat.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

absl::StatusOr<std::unique_ptr<ImageFrame>> FrameView(
    ImageFormat::Format format, const cv::Mat& mat) {
  constexpr std::size_t kMaxBytes = std::numeric_limits<int>::max();
  if (mat.dims != 2 || mat.empty() || !IsImageFrameFormat(format) ||
      mat.type() != MatTypeOf(format) ||
      mat.step[0] > kMaxBytes / static_cast<std::size_t>(mat.rows)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "No frame of ", ImageFormat::Format_Name(format), " has the pixels of ",
        mat.dims == 2 ? absl::StrCat("a ", mat.cols, "x", mat.rows, " matrix")
                      : absl::StrCat("a matrix of ", mat.dims, " dimensions"),
        " of OpenCV's type ", cv::typeToString(mat.type()),
        "; cv::cvtColor() and convertTo() make others of them"));
  }
  // The deleter holds a copy of the cv::Mat, which keeps the pixels alive.
  return std::make_unique<ImageFrame>(
      format, mat.cols, mat.rows, static_cast<int>(mat.step[0]), mat.data,
      [kept = mat](std::uint8_t* /*pixels*/) mutable { kept.release(); });
}

}  // namespace formats
}  // namespace syncline
