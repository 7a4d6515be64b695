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
// Of an empty pointer.
absl::Status NoTensorError();

// Where the elements of a tensor of another library lie.
struct DlpackLayout {
  DeviceTensor::Sizes shape;
  // Its own, or those of a tensor without gaps; in elements.
  DeviceTensor::Sizes strides;
  bool has_elements = false;
};

// All that code here reads of `tensor` beside its type and place: nothing of it
// is used before it was looked at. INVALID_ARGUMENT for more than 64
// dimensions or fewer than 0, dimensions without sizes, sizes below 0, elements
// that lie further apart than 2^40 elements, elements without memory or at
// an odd address, and memory that goes on behind the last address.
absl::StatusOr<DlpackLayout> LayoutOf(const DLTensor& tensor);

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_DLPACK_ELEMENTS_H_
