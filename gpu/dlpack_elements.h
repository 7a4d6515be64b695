// The elements of tensors as DLPack names them.
//
// Part of dlpack.h and host_dlpack.h.
//
// Thread rule: pure functions.
// Tested by dlpack_test.

#ifndef SYNCLINE_GPU_DLPACK_ELEMENTS_H_
#define SYNCLINE_GPU_DLPACK_ELEMENTS_H_

#include <dlpack/dlpack.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device_tensor.h"

namespace syncline::gpu::internal {

// REQUIRES: the element is not kNone.
DLDataType DlpackTypeOf(TensorElement element);
// INVALID_ARGUMENT for what a DeviceTensor does not have.
absl::StatusOr<TensorElement> ElementOf(const DLDataType& type);

// Of a tensor of another library: its own, or those of a tensor without gaps.
DeviceTensor::Sizes StridesOf(const DLTensor& tensor);
// INVALID_ARGUMENT for sizes below 0, and for elements that lie further apart
// than 2^40 elements.
absl::Status CheckShape(const DLTensor& tensor,
                        const DeviceTensor::Sizes& strides);

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_DLPACK_ELEMENTS_H_
