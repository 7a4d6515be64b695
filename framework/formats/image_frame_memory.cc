#include "framework/formats/image_frame_memory.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace {

using Pixels = std::unique_ptr<std::uint8_t[]>;

}  // namespace

class ImageFrameMemory::Store {
 public:
  Pixels Take(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    // Freed after the lock, since that may take long.
    std::vector<Pixels> too_old;
    {
      MutexLock lock(&mutex_);
      if (bytes != bytes_) {
        bytes_ = bytes;
        too_old.swap(kept_);
      } else if (!kept_.empty()) {
        Pixels pixels = std::move(kept_.back());
        kept_.pop_back();
        return pixels;
      }
    }
    return Pixels(new std::uint8_t[bytes]);
  }

  // Frees the pixels unless a later frame can use them.
  void GiveBack(Pixels pixels, std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (bytes != bytes_ || static_cast<int>(kept_.size()) >= kKept) return;
    // Pixels are also freed when memory for the list is short: the code that
    // drops a frame cannot handle an error.
    CatchExceptions([&] {
      mutex_.AssertHeld();
      kept_.push_back(std::move(pixels));
    }).IgnoreError();
  }

  int kept() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return static_cast<int>(kept_.size());
  }

 private:
  mutable Mutex mutex_;
  std::size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Pixels> kept_ ABSL_GUARDED_BY(mutex_);
};

ImageFrameMemory::ImageFrameMemory() : store_(std::make_shared<Store>()) {}

std::unique_ptr<ImageFrame> ImageFrameMemory::NewFrame(
    ImageFormat::Format format, int width, int height) {
  constexpr std::int64_t kAlignment = ImageFrame::kDefaultAlignmentBoundary;
  const std::int64_t row_bytes = std::int64_t{width} *
                                 ImageFrame::NumberOfChannelsForFormat(format) *
                                 ImageFrame::ByteDepthForFormat(format);
  const std::int64_t width_step =
      (row_bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (row_bytes <= 0 || height <= 0 || width_step > INT32_MAX / height ||
      static_cast<std::size_t>(width_step * height) < kSmall) {
    return std::make_unique<ImageFrame>(format, width, height);
  }
  const auto bytes = static_cast<std::size_t>(width_step * height);
  // The system's allocator aligns large blocks by 16 bytes at least.
  return std::make_unique<ImageFrame>(
      format, width, height, static_cast<int>(width_step),
      store_->Take(bytes).release(),
      [store = std::weak_ptr<Store>(store_), bytes](std::uint8_t* pixels) {
        Pixels owned(pixels);
        if (const auto alive = store.lock()) {
          alive->GiveBack(std::move(owned), bytes);
        }
      });
}

int ImageFrameMemory::kept() const { return store_->kept(); }

}  // namespace syncline
