// Buffers of the allocators of a graph, for work of a device and for the host.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       DeviceBuffer blurred,
//       AllocateBuffer(stream, *frames, MemoryStorageType::kDevice, bytes,
//                      "blurred"));
//   stream.Launch(kBlur, ..., {Reads(image), Writes(blurred)});
//
// The memory goes back to its allocator with the last handle, at once and
// without a wait, and takes along what is pending on it. The next user of the
// same stream goes on without a wait, and that of another stream waits on the
// device. The node at work, its timestamp and the stream are the label of the
// memory: an exhausted pool says who has it.
//
// Thread rule: any thread.
// Tested by allocate_buffer_test.

#ifndef SYNCLINE_GPU_ALLOCATE_BUFFER_H_
#define SYNCLINE_GPU_ALLOCATE_BUFFER_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/memory/allocator.h"
#include "gpu/device_buffer.h"
#include "gpu/stream.h"

namespace syncline::gpu {

// For work of `stream` from now on. Errors: those of the allocator, with node
// and stream; INVALID_ARGUMENT for memory of no device, and of devices that
// cannot wait for the stream's.
absl::StatusOr<DeviceBuffer> AllocateBuffer(const Stream& stream,
                                            Allocator& allocator,
                                            MemoryStorageType kind,
                                            std::size_t bytes,
                                            absl::string_view name);

// For the host, which may have a view of host and managed memory at once: work
// on it is over.
absl::StatusOr<DeviceBuffer> AllocateHostBuffer(Allocator& allocator,
                                                MemoryStorageType kind,
                                                std::size_t bytes,
                                                absl::string_view name);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_ALLOCATE_BUFFER_H_
