// Image: an image wherever its pixels are, passed by value.
//
//   Image image(std::make_shared<ImageFrame>(ImageFormat::SRGB, 640, 480));
//   {
//     PixelWriteLock lock(&image);
//     lock.Pixels()[0] = 255;
//   }
//
// Copies share the pixels: an Image is a handle, and two are equal when they
// are handles of the same pixels. Pixels are in the memory of the CPU, as an
// ImageFrame. UsesGpu and ConvertToCpu answer for code that asks where they
// are.
//
// Thread rule: as a shared_ptr. Pixels are read and written under a
// PixelReadLock and a PixelWriteLock: many of the first, or one of the second,
// among all copies.
// Tested by image_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/shared_access.h"
#include "framework/packet/payload_size.h"

namespace syncline {

using ImageFrameSharedPtr = std::shared_ptr<ImageFrame>;

class Image {
 public:
  // No image: no pixels, no size, no format.
  Image() = default;
  // An image that shares the pixels of `frame`. A null `frame` makes no image.
  explicit Image(ImageFrameSharedPtr image_frame)
      : frame_(std::move(image_frame)),
        access_(frame_ != nullptr ? std::make_shared<SharedAccess>()
                                  : nullptr) {}

  // Width and height in pixels, the number of values of one pixel, and the
  // bytes from one row to the next.
  int width() const { return frame_ != nullptr ? frame_->Width() : 0; }
  int height() const { return frame_ != nullptr ? frame_->Height() : 0; }
  int channels() const {
    return frame_ != nullptr && !frame_->IsEmpty() ? frame_->NumberOfChannels()
                                                   : 0;
  }
  int step() const { return frame_ != nullptr ? frame_->WidthStep() : 0; }
  ImageFormat::Format image_format() const {
    return frame_ != nullptr ? frame_->Format() : ImageFormat::UNKNOWN;
  }

  // Whether the newest pixels are on a GPU.
  bool UsesGpu() const { return false; }
  // Whether the pixels can be read there now; moves them there if possible.
  bool ConvertToCpu() const { return frame_ != nullptr; }
  bool ConvertToGpu() const { return false; }

  // The pixels as a frame; null when there is no image.
  ImageFrameSharedPtr GetImageFrameSharedPtr() const { return frame_; }

  explicit operator bool() const { return frame_ != nullptr; }
  friend bool operator==(const Image& a, const Image& b) {
    return a.frame_ == b.frame_;
  }
  friend bool operator!=(const Image& a, const Image& b) { return !(a == b); }
  friend bool operator==(const Image& a, std::nullptr_t) {
    return a.frame_ == nullptr;
  }
  friend bool operator!=(const Image& a, std::nullptr_t) {
    return a.frame_ != nullptr;
  }
  Image& operator=(std::nullptr_t) {
    frame_.reset();
    access_.reset();
    return *this;
  }

 private:
  friend class PixelReadLock;
  friend class PixelWriteLock;

  ImageFrameSharedPtr frame_;
  // Shared by all copies; null exactly if frame_ is.
  std::shared_ptr<SharedAccess> access_;
};

// While a PixelReadLock exists, nobody writes the image's pixels through a
// PixelWriteLock.
class PixelReadLock {
 public:
  explicit PixelReadLock(const Image& image)
      : frame_(image.frame_), access_(ScopedAccess::Read(image.access_)) {}
  PixelReadLock(const PixelReadLock&) = delete;
  PixelReadLock& operator=(const PixelReadLock&) = delete;

  // Null when there is no image.
  const std::uint8_t* Pixels() const {
    return frame_ != nullptr ? frame_->PixelData() : nullptr;
  }

 private:
  ImageFrameSharedPtr frame_;
  ScopedAccess access_;
};

// While a PixelWriteLock exists, nobody else reads or writes the image's pixels
// through a lock.
class PixelWriteLock {
 public:
  // REQUIRES: `image` is not null.
  explicit PixelWriteLock(Image* image)
      : frame_(image->frame_), access_(ScopedAccess::Write(image->access_)) {}
  PixelWriteLock(const PixelWriteLock&) = delete;
  PixelWriteLock& operator=(const PixelWriteLock&) = delete;

  // Null when there is no image.
  std::uint8_t* Pixels() {
    return frame_ != nullptr ? frame_->MutablePixelData() : nullptr;
  }

 private:
  ImageFrameSharedPtr frame_;
  ScopedAccess access_;
};

template <>
struct PayloadSize<Image> {
  static std::size_t Bytes(const Image& image) {
    const ImageFrameSharedPtr frame = image.GetImageFrameSharedPtr();
    return sizeof(image) +
           (frame != nullptr ? PayloadSize<ImageFrame>::Bytes(*frame) : 0);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_H_
