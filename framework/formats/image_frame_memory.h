// ImageFrameMemory: the pixels of frames that are gone, for those that come
// next.
//
// A frame is hundreds of pages. When it goes, the allocator gives them back to
// the system, and takes them again, one page fault each, for the next. So
// whoever makes frames of one size, one after another, has an
// ImageFrameMemory:
//
//   std::unique_ptr<ImageFrame> frame = memory_.NewFrame(format, w, h);
//
// The frame is like any other, to be changed, moved, and consumed out of its
// packet; where its pixels come from is the business of their deleter. Frames
// may outlive the memory they come from. Small ones are not worth it, and come
// from the allocator.
//
// Unlike an ImageFramePool, whose frames are shared, it can stand behind
// calculators whose packets others take apart.
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
  // Of pixels of frames that are gone, so many are kept: those of the size that
  // was asked for last.
  static constexpr int kKept = 4;
  // Frames with fewer bytes are not.
  static constexpr std::size_t kSmall = std::size_t{64} << 10;

  ImageFrameMemory();
  ImageFrameMemory(const ImageFrameMemory&) = delete;
  ImageFrameMemory& operator=(const ImageFrameMemory&) = delete;

  // A frame with pixels of any value, in rows as ImageFrame makes them. What no
  // frame can be is a misuse, as there.
  std::unique_ptr<ImageFrame> NewFrame(ImageFormat::Format format, int width,
                                       int height);

  // How many wait to be used again. For tests.
  int kept() const;

 private:
  class Store;
  const std::shared_ptr<Store> store_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_MEMORY_H_
