// The checker: whether an access to a buffer is ordered after those before it.
//
// A read must come after the last write. A write must come after the last write
// and after every read since. "After" is what streams, waits and host waits
// give (access_order.h); the order in which work happened to run does not
// count. The first access that is not ordered makes the
// call that submits it fail, before the driver hears of it:
//
//   FAILED_PRECONDITION: node "blur" at 40 reads buffer "frame" (12 bytes) by
//   "blur" on stream "b" of stand_in:0, and nothing orders this after node
//   "upload" at 40, which writes it by "copy" on stream "a" of stand_in:0.
//   Call WaitFor(...) of stream "b" ...
//
// Memory that is given by its address, to CopyFromHost() say, counts as an
// access to the buffer that it belongs to (host_addresses.h).
//
// An access by a handle that was sent also has to find what was sent
// (buffer_versions.h), in whatever order.
//
// Thread rule: any thread; CheckOrder under the lock of the group.
// Tested by access_check_test and random_work_test.

#ifndef SYNCLINE_GPU_ACCESS_CHECK_H_
#define SYNCLINE_GPU_ACCESS_CHECK_H_

#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "gpu/device_buffer.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {

// Whose access it is.
struct StreamAccess {
  const StreamCore* stream;
  const char* work;
};

// INVALID_ARGUMENT for a null buffer, one of devices that cannot wait for the
// stream's, or device memory of another device where the work needs it near.
absl::Status CheckReach(const StreamAccess& by, const Access& access,
                        WorkReach reach);

// FAILED_PRECONDITION for a buffer that was released, for one of which the host
// has a view, and, if the device is checked, for an access that is not ordered,
// and to a buffer that was changed since it was sent.
absl::Status CheckOrder(const StreamAccess& by, const Access& access,
                        DeviceGroup* group)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(group->mutex);

// The same for the host, now. If it is OK, the host has one more view.
absl::Status BeginHostAccess(const Access& access);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_ACCESS_CHECK_H_
