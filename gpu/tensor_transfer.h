// Tensors between the host and a device, by pinned memory of the host, as
// image_transfer.h does it with images. And copies on a device, which take out
// gaps.
//
// Thread rule: any thread.
// Tested by tensor_transfer_test.

#ifndef SYNCLINE_GPU_TENSOR_TRANSFER_H_
#define SYNCLINE_GPU_TENSOR_TRANSFER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/tensor.h"
#include "gpu/device_buffer.h"
#include "gpu/device_tensor.h"
#include "gpu/stream.h"

namespace syncline::gpu {

// The elements and the shape of `tensor`, for a copy of it. INVALID_ARGUMENT
// for a tensor of no type.
absl::StatusOr<TensorElement> ElementOf(Tensor::ElementType type);
DeviceTensor::Sizes ShapeOf(const Tensor& tensor);

// Copies `tensor` to `to`, which is dense and has as many bytes. `staging` is
// as for images. INVALID_ARGUMENT if they differ.
absl::Status Upload(const Stream& stream, const Tensor& tensor,
                    const DeviceBuffer& staging, const DeviceTensor& to);

// Copies `tensor`, which is dense, to `staging`, and from there to the host's
// tensor, for which it waits. INVALID_ARGUMENT for a tensor with gaps, and for
// elements that the host's tensors do not have: use CopyTensor(), or pinned
// memory and a view.
absl::StatusOr<Tensor> Download(const Stream& stream,
                                const DeviceTensor& tensor,
                                const DeviceBuffer& staging);

// Copies between tensors of the same elements and shape, of any strides and any
// kinds of memory of the stream's device; dense ones also from another device.
absl::Status CopyTensor(const Stream& stream, const DeviceTensor& from,
                        const DeviceTensor& to);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_TENSOR_TRANSFER_H_
