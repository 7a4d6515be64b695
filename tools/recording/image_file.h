// WriteImageFile: an image frame as a file that other programs open: PNG where
// Syncline is built with OpenCV, else PGM or PPM, as the Netpbm formats are
// called.
//
// Thread rule: free functions.
// Tested by image_file_test and commands_test.

#ifndef SYNCLINE_TOOLS_RECORDING_IMAGE_FILE_H_
#define SYNCLINE_TOOLS_RECORDING_IMAGE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "framework/formats/image_frame.h"

namespace syncline {

// ".png", ".pgm" or ".ppm".
std::string ImageFileExtension(const ImageFrame& frame);

// UNIMPLEMENTED: a format that such files do not have. Replaces the file.
absl::Status WriteImageFile(const ImageFrame& frame, const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_IMAGE_FILE_H_
