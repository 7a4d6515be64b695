#include "framework/formats/image_multi_pool.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame_pool.h"

namespace syncline {

Image ImageMultiPool::GetBuffer(int width, int height, bool use_gpu,
                                ImageFormat::Format format) {
  if (use_gpu) {
    ReportMisuse(absl::UnimplementedError(
        "This build has no images on a GPU: ask for one on the CPU."));
  }
  return Image(PoolFor(width, height, format)->GetBuffer());
}

std::shared_ptr<ImageFramePool> ImageMultiPool::PoolFor(
    int width, int height, ImageFormat::Format format) {
  // Pools that are dropped here are freed after the lock is released.
  std::shared_ptr<ImageFramePool> dropped;
  MutexLock lock(&mutex_);
  const auto found =
      std::find_if(pools_.begin(), pools_.end(), [&](const auto& pool) {
        return pool->width() == width && pool->height() == height &&
               pool->format() == format;
      });
  if (found != pools_.end()) {
    pools_.splice(pools_.begin(), pools_, found);
  } else {
    if (pools_.size() == kMaxPools) {
      dropped = std::move(pools_.back());
      pools_.pop_back();
    }
    pools_.push_front(
        ImageFramePool::Create(width, height, format, kKeepCount));
  }
  return pools_.front();
}

}  // namespace syncline
