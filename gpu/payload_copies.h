// PayloadCopies: how values of a device come to the host where no node brings
// them: to be recorded, compared or printed.
//
//   const auto copies = PayloadCopies::Of(*image.memory().device());
//   SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
//                             copies->StreamAfter(image.memory()));
//   SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer staging,
//                             copies->TakeStaging(stream, bytes));
//   ...                           copy on `stream`, wait, read, drop `staging`
//
// A device has one of them, with a stream of its own and a pool of pinned
// memory (buffer_cache.h), so that a packet costs neither a stream nor memory.
// The first copy from a device is in the log, since it makes the host wait
// where the graph itself would not.
//
// Thread rule: any thread.
// Tested by payload_bytes_test.

#ifndef SYNCLINE_GPU_PAYLOAD_COPIES_H_
#define SYNCLINE_GPU_PAYLOAD_COPIES_H_

#include <cstddef>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "gpu/buffer_cache.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/stream.h"

namespace syncline::gpu {

class PayloadCopies {
 public:
  // Those of the device, which destroys them.
  static std::shared_ptr<PayloadCopies> Of(Device& device);
  // For Device::Attachment.
  explicit PayloadCopies(Device* device);
  PayloadCopies(const PayloadCopies&) = delete;
  PayloadCopies& operator=(const PayloadCopies&) = delete;

  // The stream, after all that wrote `memory`. Errors of the device.
  absl::StatusOr<Stream> StreamAfter(const DeviceBuffer& memory);
  // Pinned memory for a copy from the device. It, and the stream, may be used
  // only as long as something else keeps the device.
  absl::StatusOr<DeviceBuffer> TakeStaging(const Stream& stream,
                                           std::size_t bytes);
  // For a copy to the device: the host may have a view of it at once.
  absl::StatusOr<DeviceBuffer> TakeStagingForHost(std::size_t bytes);

 private:
  void LogOnce(std::size_t bytes) const;
  absl::StatusOr<Stream> GetStream() ABSL_LOCKS_EXCLUDED(mutex_);

  // Keeps nothing: the device has this object.
  const std::shared_ptr<Device> device_;
  const std::shared_ptr<BufferCache> pool_;

  Mutex mutex_;
  // Null until the first copy.
  Stream stream_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_PAYLOAD_COPIES_H_
