#include "calculators/image/image_file.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "calculators/image/opencv_calls.h"
#include "framework/calculator_framework.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"

namespace syncline {
namespace {

constexpr char kMark = '\xFF';
constexpr char kEndMarker[] = "\xFF\xD9";

// The contents of a JPEG file, by its markers.
struct JpegMarkers {
  bool has_end = false;
  // The units of a frame that is coded from top to bottom in one scan.
  bool is_sequential = false;
  int components = 0;
  int units = 0;  // the blocks of pixels that are coded together
  int scans = 0;
  int components_of_scan = 0;
  int restart_interval = 0;  // in units; 0: none
  int restarts = 0;
};

unsigned ByteAt(absl::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}
int NumberAt(absl::string_view bytes, std::size_t at) {
  return static_cast<int>(ByteAt(bytes, at) << 8 | ByteAt(bytes, at + 1));
}

// Reads a frame header. `segment` has a length, precision, height, width, and
// number of components; for each component, its number, sampling and table.
void ReadFrame(absl::string_view segment, JpegMarkers* markers) {
  markers->is_sequential = true;
  markers->components = static_cast<int>(ByteAt(segment, 7));
  unsigned across = 1;
  unsigned down = 1;
  for (int i = 0; i < markers->components && markers->components > 1; ++i) {
    const unsigned sampling =
        ByteAt(segment, 9 + 3 * static_cast<std::size_t>(i));
    across = std::max(across, sampling >> 4);
    down = std::max(down, sampling & 15);
  }
  const auto blocks = [](int pixels, unsigned block) {
    const int size = static_cast<int>(8 * block);
    return (pixels + size - 1) / size;
  };
  markers->units =
      blocks(NumberAt(segment, 5), across) * blocks(NumberAt(segment, 3), down);
}

// Before each marker there are one or more bytes FF. Between markers are
// segments, which state their length, and coded pixels, in which 00 follows
// each FF.
JpegMarkers ReadMarkers(absl::string_view file) {
  JpegMarkers markers;
  for (std::size_t at = 2;;) {
    at = file.find(kMark, at);
    if (at == absl::string_view::npos) return markers;
    at = file.find_first_not_of(kMark, at);
    if (at == absl::string_view::npos) return markers;
    const unsigned marker = ByteAt(file, at++);
    if (marker == 0xD9) {
      markers.has_end = true;
      return markers;
    }
    if (marker >= 0xD0 && marker <= 0xD7) ++markers.restarts;
    if (marker <= 0x01 || (marker >= 0xD0 && marker <= 0xD8)) continue;
    if (file.size() - at < 2) return markers;
    const auto length = static_cast<std::size_t>(NumberAt(file, at));
    const absl::string_view segment = file.substr(at, length);
    if (marker == 0xC0 || marker == 0xC1) ReadFrame(segment, &markers);
    if (marker == 0xDD) markers.restart_interval = NumberAt(segment, 2);
    if (marker == 0xDA) {
      ++markers.scans;
      markers.components_of_scan = static_cast<int>(ByteAt(segment, 2));
    }
    at += length;
    if (at > file.size()) return markers;
  }
}

bool IsJpeg(absl::string_view file) {
  return absl::StartsWith(file, "\xFF\xD8\xFF");
}

// Whether the file has a single scan and ends within it, so that missing pixels
// would be those at the end of the picture, after its last restart marker.
bool EndsWithItsPixels(const JpegMarkers& markers) {
  if (!markers.is_sequential || markers.scans != 1 ||
      markers.components_of_scan != markers.components) {
    return false;
  }
  return markers.restart_interval == 0 ||
         markers.restarts == (markers.units - 1) / markers.restart_interval;
}

// Decodes a file. Empty if the bytes are not an image.
absl::StatusOr<cv::Mat> Decode(absl::string_view file, int flags) {
  cv::Mat image;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv("reading an image", [&] {
    if (!file.empty() && file.size() <= std::numeric_limits<int>::max()) {
      // A view of the bytes. OpenCV has no matrix of const bytes.
      const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8UC1,
                          const_cast<char*>(file.data()));
      image = cv::imdecode(bytes, flags);
    }
    return absl::OkStatus();
  }));
  return image;
}

// The image of a JPEG file without an end marker; an empty image if pixels are
// missing. No pixels are missing if the decoder gives the same image whatever
// bytes follow, since a decoder that still needed pixels would read them from
// these bytes.
absl::StatusOr<cv::Mat> DecodeWithoutEnd(absl::string_view file, int flags) {
  if (!EndsWithItsPixels(ReadMarkers(file))) return cv::Mat();
  // Drops the first half of a marker.
  while (!file.empty() && file.back() == kMark) file.remove_suffix(1);
  SYNCLINE_ASSIGN_OR_RETURN(cv::Mat image,
                            Decode(absl::StrCat(file, kEndMarker), flags));
  for (const char filling : {'\x55', '\xAA'}) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const cv::Mat other,
        Decode(absl::StrCat(file, std::string(64, filling), kEndMarker),
               flags));
    bool is_same = false;
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("comparing two images", [&] {
      is_same = !image.empty() && image.size() == other.size() &&
                image.type() == other.type() &&
                cv::norm(image, other, cv::NORM_INF) == 0;
      return absl::OkStatus();
    }));
    if (!is_same) return cv::Mat();
  }
  return image;
}

}  // namespace

bool HasNoJpegEnd(absl::string_view file) {
  return IsJpeg(file) && !ReadMarkers(file).has_end;
}

absl::StatusOr<cv::Mat> DecodeImage(absl::string_view file, int flags,
                                    bool allow_truncated) {
  const bool has_no_end = HasNoJpegEnd(file);
  if (has_no_end) {
    SYNCLINE_ASSIGN_OR_RETURN(cv::Mat whole, DecodeWithoutEnd(file, flags));
    if (!whole.empty()) return whole;
  }
  SYNCLINE_ASSIGN_OR_RETURN(cv::Mat image, Decode(file, flags));
  if (image.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its ", file.size(), " bytes are not an image that can be read"));
  }
  if (has_no_end && !allow_truncated) {
    return absl::DataLossError(absl::StrCat(
        "it was cut off: its ", file.size(), " bytes begin as a JPEG of ",
        image.cols, "x", image.rows, " pixels, and end before all of them"));
  }
  return image;
}

}  // namespace syncline
