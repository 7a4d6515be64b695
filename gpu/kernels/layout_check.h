// What all plans of launches check: that what a kernel will touch is inside of
// the buffers.
//
// Thread rule: pure functions.
// Tested by layout_check_test.

#ifndef SYNCLINE_GPU_KERNELS_LAYOUT_CHECK_H_
#define SYNCLINE_GPU_KERNELS_LAYOUT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

// Images have at most so many pixels in a row and rows.
inline constexpr std::int32_t kMaxImageSide = 1 << 20;

// INVALID_ARGUMENT, with the names of the kernel and of the image's role in it,
// if the layout is impossible, has another number of channels than one of
// `channels` (any of 1 to 4 if empty), or does not fit into its buffer.
absl::Status CheckImage(absl::string_view kernel, absl::string_view role,
                        const PlacedImage& image,
                        std::initializer_list<int> channels = {});

// The same of rows of any elements, in bytes. `rows` and `row_bytes` are not
// negative.
absl::Status CheckRows(absl::string_view kernel, absl::string_view role,
                       std::int64_t offset, std::int64_t rows,
                       std::int64_t row_bytes, std::int64_t pitch,
                       std::size_t buffer_bytes);

// INVALID_ARGUMENT if the images differ in width or height.
absl::Status CheckSameSize(absl::string_view kernel, const ImageLayout& from,
                           const ImageLayout& to);

inline std::int64_t NumPixels(const ImageLayout& image) {
  return static_cast<std::int64_t>(image.width) * image.height;
}

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_LAYOUT_CHECK_H_
