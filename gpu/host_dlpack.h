// DLPack for tensors of the host (framework/formats/tensor.h), as dlpack.h is
// for those of devices.
//
//   SYNCLINE_ASSIGN_OR_RETURN(DlpackTensor out,
//                             HostTensorToDlpack(std::move(tensor)));
//   SYNCLINE_ASSIGN_OR_RETURN(const Tensor tensor,
//                             HostTensorFromDlpack(DlpackTensor(managed)));
//
// Memory is kDLCPU, and what other libraries put on a CUDA device's pinned or
// managed memory is read, too. Both have no work to wait for: whoever gives a
// tensor has waited for it.
//
// A Tensor has memory of its own, so what comes in is copied, and loses its
// gaps. What goes out is the tensor's memory itself.
//
// Thread rule: any thread.
// Tested by host_dlpack_test.

#ifndef SYNCLINE_GPU_HOST_DLPACK_H_
#define SYNCLINE_GPU_HOST_DLPACK_H_

#include "absl/status/statusor.h"
#include "framework/formats/tensor.h"
#include "framework/packet/packet.h"
#include "gpu/dlpack.h"

namespace syncline::gpu {

// The tensor's owner gives it up: another library may change it. It lives until
// the deleter is called. INVALID_ARGUMENT for a tensor without a type.
absl::StatusOr<DlpackTensor> HostTensorToDlpack(Tensor tensor);
// The tensor in a packet: exported itself if this is the only copy of the
// packet, else a copy of it. INVALID_ARGUMENT for other types, and for a tensor
// that was never written.
absl::StatusOr<DlpackTensor> HostTensorToDlpack(Packet packet);

// A copy of a tensor in memory of the host; the deleter has been called when
// this returns. INVALID_ARGUMENT for memory of devices, for elements that a
// Tensor does not have, for impossible shapes, and for more than 2 GiB.
absl::StatusOr<Tensor> HostTensorFromDlpack(DlpackTensor managed);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_HOST_DLPACK_H_
