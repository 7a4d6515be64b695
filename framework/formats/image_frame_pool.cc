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
  // What the user made of the frame does not matter: see Return.
  return ImageFrameSharedPtr(frame.release(),
                             [pool = weak_from_this()](ImageFrame* returned) {
                               std::unique_ptr<ImageFrame> owned(returned);
                               if (auto alive = pool.lock())
                                 alive->Return(std::move(owned));
                             });
}

void ImageFramePool::Return(std::unique_ptr<ImageFrame> frame) {
  // Its user may have given the pixels away, or others in.
  const bool is_whole = !frame->IsEmpty() && frame->Format() == format_ &&
                        frame->Width() == width_ &&
                        frame->Height() == height_ &&
                        frame->IsAligned(ImageFrame::kDefaultAlignmentBoundary);
  MutexLock lock(&mutex_);
  --in_use_;
  if (!is_whole || static_cast<int>(available_.size()) >= keep_count_) return;
  // Whoever lets go of a frame cannot be told that memory is short: it is not
  // kept, then.
  CatchExceptions([&] {
    available_.push_back(std::move(frame));
    return absl::OkStatus();
  }).IgnoreError();
}

std::pair<int, int> ImageFramePool::GetInUseAndAvailableCounts() {
  MutexLock lock(&mutex_);
  return {in_use_, static_cast<int>(available_.size())};
}

}  // namespace syncline
