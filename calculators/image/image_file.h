// DecodeImage: decodes an image file that is in memory.
//
// OpenCV also decodes a JPEG file that was cut off: it fills the missing part
// with any pixels and reports no error. A complete JPEG file ends with an end
// marker, but some cameras leave it out. If it is missing, DecodeImage finds
// out whether pixels are missing too. For progressive files, which have several
// scans, it cannot find out, so they count as cut off. Of other formats, OpenCV
// reads complete files only.
//
// Thread rule: pure functions.
// Tested by opencv_image_calculators_test and video_source_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_
#define SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "opencv2/core.hpp"

namespace syncline {

// Whether `file` begins as a JPEG file, but has no end marker.
bool HasNoJpegEnd(absl::string_view file);

// The same as cv::imdecode with `flags`, with blue first. INVALID_ARGUMENT for
// bytes that are not an image, or that claim more than 2^30 pixels; DATA_LOSS
// for a JPEG file that lacks pixels, unless the caller allows it.
absl::StatusOr<cv::Mat> DecodeImage(absl::string_view file, int flags,
                                    bool allow_truncated = false);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_
