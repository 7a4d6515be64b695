// ImageFramePool: frames of one size and format that are used again instead of
// being allocated for each image.
//
//   auto pool = ImageFramePool::Create(640, 480, ImageFormat::SRGB, 3);
//   ImageFrameSharedPtr frame = pool->GetBuffer();
//
// A frame comes back when its last shared_ptr is destroyed. The pool keeps at
// most keep_count waiting frames, so that a short moment with many frames does
// not cost memory for ever. Frames may outlive their pool.
//
// Thread rule: any thread.
// Tested by image_pool_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_POOL_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_POOL_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"

namespace syncline {

using ImageFrameSharedPtr = std::shared_ptr<ImageFrame>;

class ImageFramePool : public std::enable_shared_from_this<ImageFramePool> {
 public:
  // A size or format that no frame can have is a misuse in GetBuffer.
  static std::shared_ptr<ImageFramePool> Create(int width, int height,
                                                ImageFormat::Format format,
                                                int keep_count) {
    return std::shared_ptr<ImageFramePool>(
        new ImageFramePool(width, height, format, keep_count));
  }

  // A frame with pixels of undefined value.
  ImageFrameSharedPtr GetBuffer();

  int width() const { return width_; }
  int height() const { return height_; }
  ImageFormat::Format format() const { return format_; }

  // How many frames are in use, and how many wait in the pool. For tests.
  std::pair<int, int> GetInUseAndAvailableCounts();

 private:
  ImageFramePool(int width, int height, ImageFormat::Format format,
                 int keep_count)
      : width_(width),
        height_(height),
        format_(format),
        keep_count_(keep_count) {}

  void Return(std::unique_ptr<ImageFrame> frame);

  const int width_;
  const int height_;
  const ImageFormat::Format format_;
  const int keep_count_;

  Mutex mutex_;
  int in_use_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<ImageFrame>> available_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_POOL_H_
