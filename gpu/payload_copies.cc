#include "gpu/payload_copies.h"

#include <memory>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"

namespace syncline::gpu {
namespace {

constexpr char kName[] = "payload copies";

// The devices, by name, of which the log has told.
struct ToldDevices {
  Mutex mutex;
  std::set<std::string> names ABSL_GUARDED_BY(mutex);
};

ToldDevices& TheToldDevices() {
  static NoDestructor<ToldDevices> told;
  return *told;
}

}  // namespace

std::shared_ptr<PayloadCopies> PayloadCopies::Of(Device& device) {
  return device.Attachment<PayloadCopies>();
}

PayloadCopies::PayloadCopies(Device* device)
    : device_(std::shared_ptr<void>(), device),
      pool_(BufferCache::Make(device_, MemoryStorageType::kHost)) {}

absl::StatusOr<Stream> PayloadCopies::GetStream() {
  MutexLock lock(&mutex_);
  if (stream_.is_null()) {
    // Not held up by the device's default stream.
    SYNCLINE_ASSIGN_OR_RETURN(stream_,
                              Stream::Make(device_, {.flags = 1}, kName));
  }
  return stream_;
}

absl::StatusOr<Stream> PayloadCopies::StreamAfter(const DeviceBuffer& memory) {
  SYNCLINE_ASSIGN_OR_RETURN(Stream stream, GetStream());
  SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(Reads(memory)));
  return stream;
}

absl::StatusOr<DeviceBuffer> PayloadCopies::TakeStaging(const Stream& stream,
                                                        std::size_t bytes) {
  LogOnce(bytes);
  return pool_->TakeFor(stream, bytes, kName);
}

absl::StatusOr<DeviceBuffer> PayloadCopies::TakeStagingForHost(
    std::size_t bytes) {
  return pool_->TakeForHost(bytes, kName);
}

void PayloadCopies::LogOnce(std::size_t bytes) const {
  {
    MutexLock lock(&TheToldDevices().mutex);
    if (!TheToldDevices().names.emplace(device_->name()).second) return;
  }
  LOG(INFO) << "Values on " << device_->name()
            << " are copied to the host, to be recorded, compared or printed: "
               "on stream \""
            << kName
            << "\" of that device, through a pool of pinned memory that is "
               "used again, the first with "
            << bytes << " bytes. The host waits for each of them.";
}

}  // namespace syncline::gpu
