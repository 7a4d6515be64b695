// ImageMultiPool: images of any size and format from pools, one for each kind.
//
// It keeps the pools of the kinds that were asked for last, kMaxPools of them:
// a stream whose size changes with every image does not fill the memory.
//
// Thread rule: any thread.
// Tested by image_pool_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_MULTI_POOL_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_MULTI_POOL_H_

#include <list>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame_pool.h"

namespace syncline {

class ImageMultiPool {
 public:
  // Frames that wait in one pool, and pools.
  static constexpr int kKeepCount = 2;
  static constexpr int kMaxPools = 20;

  ImageMultiPool() = default;
  // For code that has a context of a GPU to give: it is not looked at.
  explicit ImageMultiPool(void* /*ignored*/) {}
  ImageMultiPool(const ImageMultiPool&) = delete;
  ImageMultiPool& operator=(const ImageMultiPool&) = delete;

  // An image with pixels of any value. `use_gpu` is a misuse where there are no
  // images on a GPU, as a size or format is that no frame can have.
  Image GetBuffer(int width, int height, bool use_gpu,
                  ImageFormat::Format format = ImageFormat::SRGBA);

 private:
  std::shared_ptr<ImageFramePool> PoolFor(int width, int height,
                                          ImageFormat::Format format);

  Mutex mutex_;
  // The one that was used last comes first.
  std::list<std::shared_ptr<ImageFramePool>> pools_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_MULTI_POOL_H_
