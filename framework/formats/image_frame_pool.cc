#include "framework/formats/image_frame_pool.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/formats/image_frame.h"

namespace syncline {

ImageFrameSharedPtr ImageFramePool::GetBuffer() {
  std::unique_ptr<ImageFrame> frame;
  {
    MutexLock lock(&mutex_);
    if (!available_.empty()) {
      frame = std::move(available_.back());
      available_.pop_back();
      ++in_use_;
    }
  }
  if (frame == nullptr) {
    frame = std::make_unique<ImageFrame>(format_, width_, height_);
    MutexLock lock(&mutex_);
    ++in_use_;
  }
  // The user may change the frame in any way: Return checks it.
  return ImageFrameSharedPtr(frame.release(),
                             [pool = weak_from_this()](ImageFrame* returned) {
                               std::unique_ptr<ImageFrame> owned(returned);
                               if (auto alive = pool.lock())
                                 alive->Return(std::move(owned));
                             });
}

void ImageFramePool::Return(std::unique_ptr<ImageFrame> frame) {
  // The user of the frame may have taken its pixels away, or put other pixels
  // in.
  const bool is_whole = !frame->IsEmpty() && frame->Format() == format_ &&
                        frame->Width() == width_ &&
                        frame->Height() == height_ &&
                        frame->IsAligned(ImageFrame::kDefaultAlignmentBoundary);
  MutexLock lock(&mutex_);
  --in_use_;
  if (!is_whole || static_cast<int>(available_.size()) >= keep_count_) return;
  // When memory is short the frame is not kept: the code that drops a frame
  // cannot handle an error.
  CatchExceptions([&] {
    mutex_.AssertHeld();
    available_.push_back(std::move(frame));
  }).IgnoreError();
}

std::pair<int, int> ImageFramePool::GetInUseAndAvailableCounts() {
  MutexLock lock(&mutex_);
  return {in_use_, static_cast<int>(available_.size())};
}

}  // namespace syncline
