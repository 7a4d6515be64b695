// Image files where OpenCV is not installed: each function returns an error.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_frame.h"
#include "framework/tool/test_image_files.h"

namespace syncline {
namespace {

absl::Status WithoutOpencv(const std::string& path) {
  return absl::UnimplementedError(
      absl::StrCat("The image file \"", path, "\" takes OpenCV, and this was ",
                   "built without: ./setup --opencv installs it."));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ImageFrame>> ReadImageFile(
    const std::string& path, ImageFormat::Format format) {
  return WithoutOpencv(path);
}

absl::Status WritePngFile(const std::string& path, const ImageFrame& image) {
  return WithoutOpencv(path);
}

}  // namespace syncline
