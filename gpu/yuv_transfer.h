// Images of brightness and colour from the host to a device, where kYuvToColor
// makes colours of them (gpu/kernels/color_kernels.h).
//
//   planes ──host──> staging ──device──> planes right behind one another
//
// FORMATS: 4:2:0 of 8 bits: I420, YV12, NV12 and NV21. Colours are computed as
// the image says: by BT.709, or by BT.601, which is also taken where it says
// nothing.
//
// Thread rule: any thread.
// Tested by yuv_transfer_test.

#ifndef SYNCLINE_GPU_YUV_TRANSFER_H_
#define SYNCLINE_GPU_YUV_TRANSFER_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/yuv_image.h"
#include "gpu/device_buffer.h"
#include "gpu/kernels/color_kernels.h"
#include "gpu/stream.h"

namespace syncline::gpu {

// How the planes of an image lie on the device, and what they mean.
struct YuvPlanes {
  YuvLayout layout;
  YuvCoefficients coefficients;
  // Of all planes; 0 for an image without pixels.
  std::size_t bytes = 0;
};

// INVALID_ARGUMENT for no image, other formats and other colours, and for
// planes that are missing or have rows that overlap.
absl::StatusOr<YuvPlanes> PlanYuvPlanes(const YUVImage& image);

// Copies the planes of `image` to `to`, as PlanYuvPlanes() lays them out.
// `staging` is host or managed memory on which no work is pending; it is the
// device's until the stream has done this. Both have at least the bytes of the
// plan, else INVALID_ARGUMENT. The image is the caller's again at once.
absl::Status UploadYuv(const Stream& stream, const YUVImage& image,
                       const DeviceBuffer& staging, const DeviceBuffer& to);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_YUV_TRANSFER_H_
