// libyuv::FourCC: layouts of YUV images by their four letters.
//
// Where libyuv is installed, the enum is libyuv's own. Elsewhere it is defined
// here, with the values that images can have, so that only code that converts
// images needs the library.
// Tested by small_formats_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_FOURCC_H_
#define SYNCLINE_FRAMEWORK_FORMATS_FOURCC_H_

#if __has_include("libyuv/video_common.h")

#include "libyuv/video_common.h"  // IWYU pragma: export

#else

#include <cstdint>

namespace libyuv {
namespace fourcc_internal {

constexpr std::uint32_t Letters(char a, char b, char c, char d) {
  return static_cast<std::uint32_t>(a) | (static_cast<std::uint32_t>(b) << 8) |
         (static_cast<std::uint32_t>(c) << 16) |
         (static_cast<std::uint32_t>(d) << 24);
}

}  // namespace fourcc_internal

enum FourCC : std::uint32_t {
  // Three planes, 4:2:0, 4:2:2 and 4:4:4; YV12 has V before U.
  FOURCC_I420 = fourcc_internal::Letters('I', '4', '2', '0'),
  FOURCC_YV12 = fourcc_internal::Letters('Y', 'V', '1', '2'),
  FOURCC_I422 = fourcc_internal::Letters('I', '4', '2', '2'),
  FOURCC_I444 = fourcc_internal::Letters('I', '4', '4', '4'),
  // Only Y.
  FOURCC_I400 = fourcc_internal::Letters('I', '4', '0', '0'),
  // Two planes, 4:2:0: one of Y, one of U and V alternating; NV21 has V before
  // U.
  FOURCC_NV12 = fourcc_internal::Letters('N', 'V', '1', '2'),
  FOURCC_NV21 = fourcc_internal::Letters('N', 'V', '2', '1'),
  // 10 bits, each value in 16 bits.
  FOURCC_I010 = fourcc_internal::Letters('I', '0', '1', '0'),
  // The format is not known.
  FOURCC_ANY = 0xffffffffu,
};

}  // namespace libyuv

#endif  // libyuv

#endif  // SYNCLINE_FRAMEWORK_FORMATS_FOURCC_H_
