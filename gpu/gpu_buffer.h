// GpuBuffer: an image in the memory of a device, passed by value.
//
//   const auto& image = cc->Inputs().Index(0).Get<GpuBuffer>();
//   stream.Launch(kBlur, pixels, params,
//                 {Reads(image.memory()), Writes(blurred.memory())});
//
// It is a handle: copies share the pixels, which live as long as one of them.
// What it says about the pixels is what an ImageFrame says, and the rows lie
// the same way, one after another, `row_step` bytes apart. Its memory knows the
// work that is pending on it, so a packet with one carries its stream.
//
// ImageFrameToGpuBufferCalculator makes them of frames, and
// GpuBufferToImageFrameCalculator makes frames of them; code that does this
// itself calls Upload() and Download() (image_transfer.h).
//
// An image of 0 pixels has no memory.
//
// Thread rule: a value.
// Tested by gpu_buffer_test.

#ifndef SYNCLINE_GPU_GPU_BUFFER_H_
#define SYNCLINE_GPU_GPU_BUFFER_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/formats/image_format.pb.h"
#include "gpu/device_buffer.h"
#include "gpu/device_work.h"

namespace syncline {

class GpuBuffer {
 public:
  // No image: no format, no size, no memory.
  GpuBuffer() = default;

  // The image in `memory`: row y begins at byte offset + y * row_step. The
  // format is one that an ImageFrame can have. INVALID_ARGUMENT for any other,
  // for sides below 0, rows that overlap, and memory that is too small, which
  // is only looked at if there are pixels.
  static absl::StatusOr<GpuBuffer> Make(gpu::DeviceBuffer memory,
                                        ImageFormat::Format format, int width,
                                        int height, std::size_t row_step,
                                        std::size_t offset = 0);

  // The usual distance of rows, in bytes: a multiple of 16, as of ImageFrame.
  static std::size_t UsualRowStep(ImageFormat::Format format, int width);
  // The bytes of an image with that; 0 if it has no pixels. INVALID_ARGUMENT as
  // above, and for more than 2^40 bytes.
  static absl::StatusOr<std::size_t> UsualBytes(ImageFormat::Format format,
                                                int width, int height);

  // Of the pixels; UNKNOWN for no image.
  ImageFormat::Format format() const { return format_; }
  // In pixels.
  int width() const { return width_; }
  int height() const { return height_; }
  // In bytes.
  std::size_t row_step() const { return row_step_; }
  std::size_t offset() const { return offset_; }
  // The values of a pixel, and the bytes of a value; 0 for no image.
  int channels() const;
  int channel_bytes() const;
  // The bytes of the pixels of a row.
  std::size_t row_bytes() const;
  bool has_pixels() const { return width_ > 0 && height_ > 0; }

  // Null if there are no pixels.
  const gpu::DeviceBuffer& memory() const { return memory_; }

  // Whether it is an image.
  explicit operator bool() const { return format_ != ImageFormat::UNKNOWN; }
  // For messages: `SRGB 640 x 480`.
  std::string ToText() const;

 private:
  ImageFormat::Format format_ = ImageFormat::UNKNOWN;
  int width_ = 0;
  int height_ = 0;
  std::size_t row_step_ = 0;
  std::size_t offset_ = 0;
  gpu::DeviceBuffer memory_;
};

namespace gpu {

template <>
struct DeviceWorkOf<GpuBuffer> {
  static void Add(const GpuBuffer& image, DeviceWork* work) {
    work->Add(image.memory());
  }
};

}  // namespace gpu
}  // namespace syncline

#endif  // SYNCLINE_GPU_GPU_BUFFER_H_
