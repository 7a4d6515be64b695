// DecodeImage: the pixels of an image file that is in memory.
//
// OpenCV makes an image also of a JPEG file that was cut off, with anything in
// the place of what is missing, and says nothing. A JPEG file has an end of its
// own. Some cameras leave it out; where it is missing, DecodeImage finds out
// whether pixels are missing too. It cannot of files that come in several scans
// (progressive ones), which are cut off then. Of the other formats OpenCV reads
// whole files only.
//
// Thread rule: pure functions.
// Tested by opencv_image_calculators_test and video_source_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_
#define SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "opencv2/core.hpp"

namespace syncline {

// Whether `file` begins as a JPEG file does, and ends without its end.
bool HasNoJpegEnd(absl::string_view file);

// As cv::imdecode with `flags`, blue first. INVALID_ARGUMENT for bytes that are
// no image, or claim more than 2^30 pixels; DATA_LOSS for a JPEG file that was
// cut off before all of its pixels, unless it is taken as it is.
absl::StatusOr<cv::Mat> DecodeImage(absl::string_view file, int flags,
                                    bool allow_truncated = false);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_IMAGE_FILE_H_
