// YUVImage: an image of brightness and colour in up to three planes, as cameras
// and video decoders give it.
//
// The image owns the memory of its planes; or somebody else owns it, and the
// image has a function that it calls when it no longer needs the memory.
//
// Thread rule: const calls on any thread while nobody changes the image.
// Tested by small_formats_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_YUV_IMAGE_H_
#define SYNCLINE_FRAMEWORK_FORMATS_YUV_IMAGE_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "framework/formats/fourcc.h"

namespace syncline {

class YUVImage {
 public:
  static constexpr int kMaxNumPlanes = 3;

  // How colours are computed, by the numbers of ISO/IEC 23001-8.
  enum ColorMatrixCoefficients {
    COLOR_MATRIX_COEFFICIENTS_RGB = 0,
    COLOR_MATRIX_COEFFICIENTS_BT709 = 1,
    COLOR_MATRIX_COEFFICIENTS_UNSPECIFIED = 2,
    COLOR_MATRIX_COEFFICIENTS_FCC = 4,
    COLOR_MATRIX_COEFFICIENTS_BT470BG = 5,
    COLOR_MATRIX_COEFFICIENTS_SMPTE170M = 6,
    COLOR_MATRIX_COEFFICIENTS_SMPTE240M = 7,
    COLOR_MATRIX_COEFFICIENTS_YCGCO = 8,
    COLOR_MATRIX_COEFFICIENTS_BT2020_NCL = 9,
    COLOR_MATRIX_COEFFICIENTS_BT2020_CL = 10,
  };

  // No image.
  YUVImage() = default;

  // Planes within memory that the image takes ownership of. Planes that the
  // layout does not have are null, with stride 0. Strides are in bytes.
  YUVImage(libyuv::FourCC fourcc, std::unique_ptr<std::uint8_t[]> data_location,
           std::uint8_t* data0, int stride0, std::uint8_t* data1, int stride1,
           std::uint8_t* data2, int stride2, int width, int height,
           int bit_depth = 8) {
    Initialize(fourcc, std::move(data_location), data0, stride0, data1, stride1,
               data2, stride2, width, height, bit_depth);
  }
  // Planes in memory of somebody else's. `deallocation_function` is called when
  // the image no longer needs them.
  YUVImage(libyuv::FourCC fourcc, std::function<void()> deallocation_function,
           std::uint8_t* data0, int stride0, std::uint8_t* data1, int stride1,
           std::uint8_t* data2, int stride2, int width, int height,
           int bit_depth = 8) {
    Initialize(fourcc, std::move(deallocation_function), data0, stride0, data1,
               stride1, data2, stride2, width, height, bit_depth);
  }
  ~YUVImage() { Clear(); }
  YUVImage(const YUVImage&) = delete;
  YUVImage& operator=(const YUVImage&) = delete;

  // As the constructors. The memory that the image had is released first.
  void Initialize(libyuv::FourCC fourcc,
                  std::unique_ptr<std::uint8_t[]> data_location,
                  std::uint8_t* data0, int stride0, std::uint8_t* data1,
                  int stride1, std::uint8_t* data2, int stride2, int width,
                  int height, int bit_depth = 8) {
    Clear();
    data_location_ = std::move(data_location);
    SetPlanes(fourcc, data0, stride0, data1, stride1, data2, stride2, width,
              height, bit_depth);
  }
  void Initialize(libyuv::FourCC fourcc,
                  std::function<void()> deallocation_function,
                  std::uint8_t* data0, int stride0, std::uint8_t* data1,
                  int stride1, std::uint8_t* data2, int stride2, int width,
                  int height, int bit_depth = 8) {
    Clear();
    deallocation_function_ = std::move(deallocation_function);
    SetPlanes(fourcc, data0, stride0, data1, stride1, data2, stride2, width,
              height, bit_depth);
  }

  // Releases the memory; the image is empty then.
  void Clear() {
    const std::function<void()> let_go =
        std::exchange(deallocation_function_, nullptr);
    data_location_.reset();
    SetPlanes(libyuv::FOURCC_ANY, nullptr, 0, nullptr, 0, nullptr, 0, 0, 0, 0);
    matrix_coefficients_ = COLOR_MATRIX_COEFFICIENTS_UNSPECIFIED;
    full_range_ = false;
    if (let_go) let_go();
  }

  libyuv::FourCC fourcc() const { return fourcc_; }
  int width() const { return width_; }
  int height() const { return height_; }
  // The bits of one value: 8, or more, which are stored in two bytes.
  int bit_depth() const { return bit_depth_; }

  // The bytes of one plane, and the bytes of its rows. Null and 0 for a plane
  // that the image does not have, and for any other index.
  const std::uint8_t* data(int index) const {
    return HasIndex(index) ? data_[index] : nullptr;
  }
  std::uint8_t* mutable_data(int index) {
    return HasIndex(index) ? data_[index] : nullptr;
  }
  int stride(int index) const { return HasIndex(index) ? stride_[index] : 0; }

  ColorMatrixCoefficients matrix_coefficients() const {
    return matrix_coefficients_;
  }
  void set_matrix_coefficients(ColorMatrixCoefficients coefficients) {
    matrix_coefficients_ = coefficients;
  }
  // Whether values use their full range, or leave out some numbers at both
  // ends.
  bool full_range() const { return full_range_; }
  void set_full_range(bool full_range) { full_range_ = full_range; }

 private:
  static bool HasIndex(int index) {
    return index >= 0 && index < kMaxNumPlanes;
  }

  void SetPlanes(libyuv::FourCC fourcc, std::uint8_t* data0, int stride0,
                 std::uint8_t* data1, int stride1, std::uint8_t* data2,
                 int stride2, int width, int height, int bit_depth) {
    fourcc_ = fourcc;
    data_ = {data0, data1, data2};
    stride_ = {stride0, stride1, stride2};
    width_ = width;
    height_ = height;
    bit_depth_ = bit_depth;
  }

  libyuv::FourCC fourcc_ = libyuv::FOURCC_ANY;
  std::unique_ptr<std::uint8_t[]> data_location_;
  std::function<void()> deallocation_function_;
  std::array<std::uint8_t*, kMaxNumPlanes> data_ = {};
  std::array<int, kMaxNumPlanes> stride_ = {};
  int width_ = 0;
  int height_ = 0;
  int bit_depth_ = 0;
  ColorMatrixCoefficients matrix_coefficients_ =
      COLOR_MATRIX_COEFFICIENTS_UNSPECIFIED;
  bool full_range_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_YUV_IMAGE_H_
