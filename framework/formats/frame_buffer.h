// FrameBuffer: an image in planes, as cameras give it, with the direction in
// which it is turned. It points to the planes' memory and does not own it.
//
// Thread rule: a value; the owner of the planes' memory keeps other threads
// from changing it.
// Tested by frame_buffer_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_FRAME_BUFFER_H_
#define SYNCLINE_FRAMEWORK_FORMATS_FRAME_BUFFER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace syncline {

class FrameBuffer {
 public:
  // Distances in bytes: from one row to the next, and from one value of a plane
  // to the next.
  struct Stride {
    int row_stride_bytes;
    int pixel_stride_bytes;

    friend bool operator==(const Stride&, const Stride&) = default;
  };

  class Plane {
   public:
    Plane(std::uint8_t* buffer, Stride stride)
        : buffer_(buffer), stride_(stride) {}

    const std::uint8_t* buffer() const { return buffer_; }
    std::uint8_t* mutable_buffer() { return buffer_; }
    Stride stride() const { return stride_; }

    friend bool operator==(const Plane&, const Plane&) = default;

   private:
    std::uint8_t* buffer_;
    Stride stride_;
  };

  // In pixels.
  struct Dimension {
    int width;
    int height;

    friend bool operator==(const Dimension&, const Dimension&) = default;
    // Whether both sides are at least as small as those of `other`.
    friend bool operator>=(const Dimension& a, const Dimension& b) {
      return a.width >= b.width && a.height >= b.height;
    }
    void Swap() { std::swap(width, height); }
    int Size() const { return width * height; }
  };

  // NV12 and NV21 have a plane of Y and a plane of both colours: NV12 has U
  // first, NV21 has V first. YV21 and YV12 have three planes, in the orders Y,
  // U, V and Y, V, U.
  enum class Format {
    kRGBA,
    kRGB,
    kNV12,
    kNV21,
    kYV12,
    kYV21,
    kGRAY,
    kUNKNOWN,
  };

  // How the image is turned, by EXIF's numbers: they say where row 0 and column
  // 0 of the image are in the scene.
  enum class Orientation {
    kTopLeft = 1,
    kTopRight = 2,
    kBottomRight = 3,
    kBottomLeft = 4,
    kLeftTop = 5,
    kRightTop = 6,
    kRightBottom = 7,
    kLeftBottom = 8,
  };

  // The planes of an image of Y, U and V.
  struct YuvData {
    const std::uint8_t* y_buffer;
    const std::uint8_t* u_buffer;
    const std::uint8_t* v_buffer;
    int y_row_stride;
    // In the planes of U and V: the bytes from one row, and from one pixel, to
    // the next.
    int uv_row_stride;
    int uv_pixel_stride;
  };

  FrameBuffer(const std::vector<Plane>& planes, Dimension dimension,
              Format format)
      : FrameBuffer(planes, dimension, format, Orientation::kTopLeft) {}
  FrameBuffer(const std::vector<Plane>& planes, Dimension dimension,
              Format format, Orientation orientation)
      : planes_(planes),
        dimension_(dimension),
        format_(format),
        orientation_(orientation) {}

  int plane_count() const { return static_cast<int>(planes_.size()); }
  // REQUIRES: 0 <= index < plane_count()
  const Plane& plane(int index) const { return planes_.at(index); }
  Plane mutable_plane(int index) { return planes_.at(index); }

  Dimension dimension() const { return dimension_; }
  Format format() const { return format_; }
  Orientation orientation() const { return orientation_; }

  // INVALID_ARGUMENT for a format that is not YUV, and for an image without all
  // its planes.
  static absl::StatusOr<YuvData> GetYuvDataFromFrameBuffer(
      const FrameBuffer& source);

 private:
  std::vector<Plane> planes_;
  Dimension dimension_;
  Format format_;
  Orientation orientation_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_FRAME_BUFFER_H_
