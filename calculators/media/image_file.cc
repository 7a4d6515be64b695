#include "calculators/media/image_file.h"

#include <cstddef>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "calculators/media/opencv_calls.h"
#include "framework/calculator_framework.h"
#include "opencv2/imgcodecs.hpp"

namespace syncline {

bool IsCutOffJpeg(absl::string_view file) {
  constexpr unsigned kStart = 0xD8;
  constexpr unsigned kEnd = 0xD9;
  constexpr char kMark = '\xFF';
  if (!absl::StartsWith(file, "\xFF\xD8\xFF")) return false;
  const auto byte = [&file](std::size_t at) {
    return unsigned{static_cast<unsigned char>(file[at])};
  };
  // Markers, each behind one or several FF. Between them are segments, whose
  // length they say, and pixels, where 00 follows FF.
  for (std::size_t at = 2;;) {
    at = file.find(kMark, at);
    if (at == absl::string_view::npos) return true;
    at = file.find_first_not_of(kMark, at);
    if (at == absl::string_view::npos) return true;
    const unsigned marker = byte(at++);
    if (marker == kEnd) return false;
    const bool stands_alone =
        marker <= 0x01 || (marker >= 0xD0 && marker <= kStart);
    if (stands_alone) continue;
    if (file.size() - at < 2) return true;
    at += std::size_t{byte(at) << 8 | byte(at + 1)};
    if (at > file.size()) return true;
  }
}

absl::StatusOr<cv::Mat> DecodeImage(absl::string_view file, int flags,
                                    bool allow_truncated) {
  cv::Mat image;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv("reading an image", [&] {
    if (!file.empty() && file.size() <= std::numeric_limits<int>::max()) {
      // A view of the bytes; OpenCV has none for what must not be written.
      const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8UC1,
                          const_cast<char*>(file.data()));
      image = cv::imdecode(bytes, flags);
    }
    return absl::OkStatus();
  }));
  if (image.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its ", file.size(), " bytes are not an image that can be read"));
  }
  if (!allow_truncated && IsCutOffJpeg(file)) {
    return absl::DataLossError(absl::StrCat(
        "it was cut off: its ", file.size(), " bytes begin as a JPEG of ",
        image.cols, "x", image.rows, " pixels, and end before all of them"));
  }
  return image;
}

}  // namespace syncline
