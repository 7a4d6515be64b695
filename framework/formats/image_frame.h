// ImageFrame: an uncompressed image in memory, one row after another.
//
//   ImageFrame frame(ImageFormat::SRGB, 640, 480);
//   uint8_t* row = frame.MutablePixelData() + y * frame.WidthStep();
//   row[x * frame.NumberOfChannels()] = 255;
//
// Rows begin at multiples of an alignment that one may choose, so WidthStep(),
// the distance between two rows in bytes, can be more than a row has. The
// pixels belong to the frame, which frees them with the deleter that was given
// with them. For memory that the frame does not own, give a deleter that does
// nothing.
//
// The class cannot be copied by accident: frames travel in packets, which share
// them. CopyFrom copies.
//
// Impossible arguments (an unknown format, a negative size, more than 2 GiB, a
// buffer too small, reading floats from a frame of bytes) are a misuse, which
// names the values. They are checked before anything is read or written.
//
// Thread rule: const calls on any thread while nobody changes the frame.
// Tested by image_frame_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "framework/formats/image_format.pb.h"
#include "framework/packet/payload_size.h"

namespace syncline {

class ImageFrame {
 public:
  // Frees pixels. An empty function frees nothing.
  using Deleter = std::function<void(uint8_t*)>;

  // Deleters for memory from `new uint8_t[]`, from malloc, from aligned_malloc,
  // and for memory that somebody else frees.
  struct PixelDataDeleter {
    static const Deleter kArrayDelete;
    static const Deleter kFree;
    static const Deleter kAlignedFree;
    static const Deleter kNone;
  };

  // The multiples at which rows begin: by default, and as OpenGL expects.
  static constexpr uint32_t kDefaultAlignmentBoundary = 16;
  static constexpr uint32_t kGlDefaultAlignmentBoundary = 4;

  // No image: no format, no size, no pixels.
  ImageFrame() = default;

  // Allocates an image whose pixels have undefined values. Every row begins at
  // a multiple of `alignment_boundary` bytes, a power of two; with 1, rows
  // follow one another without a gap.
  ImageFrame(ImageFormat::Format format, int width, int height,
             uint32_t alignment_boundary = kDefaultAlignmentBoundary);

  // Takes over pixels whose rows are `width_step` bytes apart. A misuse frees
  // them as well.
  ImageFrame(ImageFormat::Format format, int width, int height, int width_step,
             uint8_t* pixel_data,
             Deleter deleter = PixelDataDeleter::kArrayDelete);

  // The frame that was moved from has no image.
  ImageFrame(ImageFrame&& other) noexcept;
  ImageFrame& operator=(ImageFrame&& other) noexcept;
  ImageFrame(const ImageFrame&) = delete;
  ImageFrame& operator=(const ImageFrame&) = delete;

  bool IsEmpty() const { return pixel_data_ == nullptr; }

  ImageFormat::Format Format() const { return format_; }
  // In pixels.
  int Width() const { return width_; }
  int Height() const { return height_; }
  // The distance between the beginnings of two rows, in bytes.
  int WidthStep() const { return width_step_; }

  // The bytes of one value: 1, 2 or 4. Both names mean the same.
  int ChannelSize() const { return ChannelSizeForFormat(format_); }
  int ByteDepth() const { return ByteDepthForFormat(format_); }
  // The number of values of one pixel.
  int NumberOfChannels() const { return NumberOfChannelsForFormat(format_); }
  static int ChannelSizeForFormat(ImageFormat::Format format);
  static int ByteDepthForFormat(ImageFormat::Format format);
  static int NumberOfChannelsForFormat(ImageFormat::Format format);

  // Null when IsEmpty().
  const uint8_t* PixelData() const { return pixel_data_.get(); }
  uint8_t* MutablePixelData() { return pixel_data_.get(); }
  // The size in bytes with the padding between rows, and without it.
  int PixelDataSize() const { return width_step_ * height_; }
  int PixelDataSizeStoredContiguously() const;

  // Whether there is no padding between rows.
  bool IsContiguous() const;
  // Whether every row begins at a multiple of that many bytes, a power of two.
  bool IsAligned(uint32_t alignment_boundary) const;

  // Sets all bytes to 0, those between rows included.
  void SetToZero();
  // Sets the bytes between rows to 0, so that whoever reads whole rows reads
  // nothing that was never set.
  void SetAlignmentPaddingAreas();

  // As the constructor with the same arguments. The memory that the frame had
  // is freed, not used again.
  void Reset(ImageFormat::Format format, int width, int height,
             uint32_t alignment_boundary = kDefaultAlignmentBoundary);
  void AdoptPixelData(ImageFormat::Format format, int width, int height,
                      int width_step, uint8_t* pixel_data,
                      Deleter deleter = PixelDataDeleter::kArrayDelete);
  // Gives the pixels to the caller, with their deleter. The frame is empty
  // then.
  std::unique_ptr<uint8_t[], Deleter> Release();

  // Copies the other frame into memory of its own. A copy of an empty frame is
  // empty.
  void CopyFrom(const ImageFrame& image_frame, uint32_t alignment_boundary);
  // Becomes a copy of pixels whose rows are `width_step` bytes apart, or follow
  // one another without a gap.
  void CopyPixelData(ImageFormat::Format format, int width, int height,
                     int width_step, const uint8_t* pixel_data,
                     uint32_t alignment_boundary);
  void CopyPixelData(ImageFormat::Format format, int width, int height,
                     const uint8_t* pixel_data, uint32_t alignment_boundary);

  // Copies the values, without the padding between rows, to `buffer`, which has
  // room for `buffer_size` values. A value of `buffer` has 1, 2 or 4 bytes; it
  // is a misuse if ByteDepth() is another number.
  void CopyToBuffer(uint8_t* buffer, int buffer_size) const;
  void CopyToBuffer(uint16_t* buffer, int buffer_size) const;
  void CopyToBuffer(float* buffer, int buffer_size) const;

  // The text of the misuse for a format that no frame can have.
  static std::string InvalidFormatString(ImageFormat::Format format);

 private:
  template <typename Value>
  void CopyValues(Value* buffer, int buffer_size) const;
  // Bytes of a row's pixels; 0 when IsEmpty().
  int RowBytes() const;

  ImageFormat::Format format_ = ImageFormat::UNKNOWN;
  int width_ = 0;
  int height_ = 0;
  int width_step_ = 0;
  std::unique_ptr<uint8_t[], Deleter> pixel_data_;
};

template <>
struct PayloadSize<ImageFrame> {
  static std::size_t Bytes(const ImageFrame& frame) {
    return sizeof(frame) + frame.PixelDataSize();
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_H_
