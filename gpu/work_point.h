// WorkPoint: the work that a stream was told up to some moment.
//
//   const WorkPoint uploaded = upload_stream.Now();
//   ...
//   compute_stream.WaitFor(uploaded);     // on the device; the host goes on
//
// A point costs nothing until somebody waits for it. It outlives the stream.
//
// Thread rule: a value; any thread may use copies of it.
// Tested by stream_test.

#ifndef SYNCLINE_GPU_WORK_POINT_H_
#define SYNCLINE_GPU_WORK_POINT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {

class WorkPoint {
 public:
  // No work at all, which has ended.
  WorkPoint() = default;
  // For gpu/.
  WorkPoint(std::shared_ptr<Device> device, PendingWork work)
      : device_(std::move(device)), work_(std::move(work)) {}

  // Blocks until the work has ended. The error of the device if it failed.
  absl::Status HostWait() const {
    if (work_.stream == nullptr) return absl::OkStatus();
    return work_.stream->HostWait(work_.number);
  }
  // Does not block.
  absl::StatusOr<bool> HasEnded() const {
    if (work_.stream == nullptr) return true;
    return work_.stream->HasEnded(work_.number);
  }

  // Null for no work.
  const std::shared_ptr<Device>& device() const { return device_; }
  const PendingWork& work() const { return work_; }

 private:
  // Destroyed last: the stream is one of it.
  std::shared_ptr<Device> device_;
  PendingWork work_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_WORK_POINT_H_
