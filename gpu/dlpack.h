// DLPack: tensors of devices to and from other libraries, without a copy where
// that is safe.
//
//   SYNCLINE_ASSIGN_OR_RETURN(DlpackTensor out,
//                             ToDlpack(std::move(tensor), consumer_stream));
//   other_library_takes(out.release());
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       const DeviceTensor tensor,
//       FromDlpack(DlpackTensor(managed), device, stream));
//
// A DLManagedTensor has an owner, who calls its deleter once: here a
// std::unique_ptr.
//
// DEVICE TYPES: memory of "cuda:N" is kDLCUDA, kDLCUDAHost or kDLCUDAManaged,
// with the number N, 0 for host memory; device memory of a stand-in is
// kDLExtDev with its number, and its pinned memory kDLCPU.
//
// It is there where Debian's libdlpack-dev is installed; without it the target
// //gpu:dlpack is left out.
//
// Thread rule: any thread.
// Tested by dlpack_test.

#ifndef SYNCLINE_GPU_DLPACK_H_
#define SYNCLINE_GPU_DLPACK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "framework/packet/packet.h"
#include "gpu/device.h"
#include "gpu/device_tensor.h"
#include "gpu/stream.h"

struct DLManagedTensor;

namespace syncline::gpu {

struct DlpackDeleter {
  // Calls the tensor's own deleter, if it has one.
  void operator()(DLManagedTensor* managed) const;
};
using DlpackTensor = std::unique_ptr<DLManagedTensor, DlpackDeleter>;

// The tensor for a library that uses it on `consumer`, which comes after all
// work that is pending on it. Whoever calls the deleter has given `consumer`
// the last work on it: the memory is used again after that work, by itself.
//
// Other libraries may change what they get. So memory that other handles have,
// too, is copied on `consumer`, and exported itself only if this one is the
// last. INVALID_ARGUMENT for no tensor; the errors of the copy.
absl::StatusOr<DlpackTensor> ToDlpack(DeviceTensor tensor,
                                      const Stream& consumer);
// The tensor in a packet: exported itself if this is the only copy of the
// packet, and its value the last handle. INVALID_ARGUMENT for other types.
absl::StatusOr<DlpackTensor> ToDlpack(Packet packet, const Stream& consumer);

// A tensor over the memory of `managed`, which is `device`'s. All that is
// pending on it is on `producer`, and later work there or on streams that wait
// for it may use it. The deleter is called, on any thread, when the last handle
// is gone and all work on the memory has ended. INVALID_ARGUMENT, after the
// deleter was called, for no tensor, for memory of other devices, for elements
// that a DeviceTensor does not have or that have no memory, and for impossible
// shapes and strides.
absl::StatusOr<DeviceTensor> FromDlpack(DlpackTensor managed,
                                        const std::shared_ptr<Device>& device,
                                        const Stream& producer);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DLPACK_H_
