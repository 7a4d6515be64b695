// Image files for test_util.h. There are two implementations: one with OpenCV,
// and one for machines without OpenCV, which returns an error.
//
// Thread rule: free functions.
// Tested by test_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_TEST_IMAGE_FILES_H_
#define SYNCLINE_FRAMEWORK_TOOL_TEST_IMAGE_FILES_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"

namespace syncline {

// The image in the format SRGBA, SRGB or GRAY8.
absl::StatusOr<std::unique_ptr<ImageFrame>> ReadImageFile(
    const std::string& path, ImageFormat::Format format);
absl::Status WritePngFile(const std::string& path, const ImageFrame& image);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TEST_IMAGE_FILES_H_
