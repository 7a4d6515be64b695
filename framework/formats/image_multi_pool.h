// ImageMultiPool: images of any size and format. It has one pool for each size
// and format.
//
// It keeps only the kMaxPools pools that were used last, so that a stream whose
// size changes with every image does not fill the memory.
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
  // How many frames wait in one pool, and how many pools are kept.
  static constexpr int kKeepCount = 2;
  static constexpr int kMaxPools = 20;

  ImageMultiPool() = default;
  // For code that passes the context of a GPU: the context is not used.
  explicit ImageMultiPool(void* /*ignored*/) {}
  ImageMultiPool(const ImageMultiPool&) = delete;
  ImageMultiPool& operator=(const ImageMultiPool&) = delete;

  // An image with pixels of undefined value. `use_gpu` is a misuse, since there
  // are no images on a GPU; so is a size or format that no frame can have.
  Image GetBuffer(int width, int height, bool use_gpu,
                  ImageFormat::Format format = ImageFormat::SRGBA);

 private:
  std::shared_ptr<ImageFramePool> PoolFor(int width, int height,
                                          ImageFormat::Format format);

  Mutex mutex_;
  // The pool that was used last comes first.
  std::list<std::shared_ptr<ImageFramePool>> pools_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_MULTI_POOL_H_
