#include "framework/formats/image_opencv.h"

#include <memory>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

std::shared_ptr<cv::Mat> MatView(const Image* image) {
  struct View {
    ImageFrameSharedPtr frame;
    cv::Mat mat;
  };
  ImageFrameSharedPtr frame = image->GetImageFrameSharedPtr();
  if (frame == nullptr) {
    ReportMisuse(absl::InvalidArgumentError(
        "There is no view of an Image without pixels."));
  }
  auto view = std::make_shared<View>(View{frame, MatView(frame.get())});
  return std::shared_ptr<cv::Mat>(view, &view->mat);
}

}  // namespace formats
}  // namespace syncline
