// ImageFrameMemory: uses the pixels of destroyed frames again for the next
// frames.
//
// A frame takes hundreds of pages of memory. When a frame is destroyed, the
// allocator returns the pages to the system, and the next frame costs one page
// fault for each page. So code that makes frames of one size, one after
// another, should have an ImageFrameMemory:
//
//   std::unique_ptr<ImageFrame> frame = memory_.NewFrame(format, w, h);
//
// The frame is like any other: it may be changed, moved, and consumed out of
// its packet. Its deleter gives the pixels back. Frames may outlive the
// ImageFrameMemory. Small frames come from the allocator, since keeping them
// would gain nothing.
//
// The frames of an ImageFramePool are shared, so a calculator downstream cannot
// consume them. Those of an ImageFrameMemory are not shared, and it can.
//
// Thread rule: any thread.
// Tested by image_frame_memory_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_MEMORY_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_MEMORY_H_

#include <cstddef>
#include <memory>

#include "framework/formats/image_frame.h"

namespace syncline {

class ImageFrameMemory {
 public:
  // How many blocks of pixels are kept. All of them have the size that was
  // asked for last.
  static constexpr int kKept = 4;
  // Frames with fewer bytes come from the allocator.
  static constexpr std::size_t kSmall = std::size_t{64} << 10;

  ImageFrameMemory();
  ImageFrameMemory(const ImageFrameMemory&) = delete;
  ImageFrameMemory& operator=(const ImageFrameMemory&) = delete;

  // A frame with pixels of undefined value, in rows as ImageFrame makes them.
  // Arguments that no frame can have are a misuse, as for ImageFrame.
  std::unique_ptr<ImageFrame> NewFrame(ImageFormat::Format format, int width,
                                       int height);

  // How many blocks of pixels wait to be used again. For tests.
  int kept() const;

 private:
  class Store;
  const std::shared_ptr<Store> store_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_MEMORY_H_
