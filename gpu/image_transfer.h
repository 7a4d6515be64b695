// Images between the host and a device, by pinned memory of the host: so the
// copy is the device's work, and the host goes on.
//
//   frame ──host──> staging ──device──> image          Upload
//   image ──device──> staging, which becomes the frame Download
//
// Thread rule: any thread.
// Tested by image_transfer_test.

#ifndef SYNCLINE_GPU_IMAGE_TRANSFER_H_
#define SYNCLINE_GPU_IMAGE_TRANSFER_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/image_frame.h"
#include "gpu/device_buffer.h"
#include "gpu/gpu_buffer.h"
#include "gpu/stream.h"

namespace syncline::gpu {

// The bytes of staging memory that both need; 0 for an image without pixels.
std::size_t StagingBytes(const GpuBuffer& image);

// Copies `frame` to `image`, which is of the same format and size. `staging` is
// host or managed memory on which no work is pending; it is the device's until
// the stream has done this. The frame is the caller's again at once.
// INVALID_ARGUMENT if the images differ or the staging memory is too small.
absl::Status Upload(const Stream& stream, const ImageFrame& frame,
                    const DeviceBuffer& staging, const GpuBuffer& image);

// Copies `image` to `staging` and waits on the host until it is there. The
// frame is the staging memory, which goes back when the frame is destroyed; no
// other handle of it may be used until then. Its rows lie as those of `image`.
// INVALID_ARGUMENT for no image, and as above.
absl::StatusOr<ImageFrame> Download(const Stream& stream,
                                    const GpuBuffer& image,
                                    DeviceBuffer staging);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_IMAGE_TRANSFER_H_
