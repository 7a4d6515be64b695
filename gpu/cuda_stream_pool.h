// CudaStreamPool: streams of one device that nodes take for a run, and give
// back.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       const std::shared_ptr<CudaStreamPool> pool,
//       CudaStreamPool::Make(device, {.max_size = 2}, "video"));
//   SYNCLINE_ASSIGN_OR_RETURN(Stream stream, pool->Take("node \"blur\""));
//   ...
//   pool->GiveBack(stream);
//
// Streams belong to their pool: with it they end for all who still have one,
// while their work goes on. Those of a pool are the streams that the framework
// MANAGES, which may be given to the outputs of nodes; others, which the
// application made or adopted, are FOREIGN.
//
// Thread rule: any thread.
// Tested by cuda_stream_pool_test.

#ifndef SYNCLINE_GPU_CUDA_STREAM_POOL_H_
#define SYNCLINE_GPU_CUDA_STREAM_POOL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "gpu/device.h"
#include "gpu/driver.h"
#include "gpu/stream.h"
#include "gpu/stream_core.h"

namespace syncline {
class CudaStreamPoolOptions;
}  // namespace syncline

namespace syncline::gpu {

// See cuda_stream_pool.proto.
struct CudaStreamPoolParameters {
  // A mistyped number would make streams for minutes, and the device full.
  static constexpr std::uint32_t kMaxReserved = 1024;

  // INVALID_ARGUMENT for flags and parts that do not exist and for more than
  // kMaxReserved reserved streams, UNIMPLEMENTED for the name of a green
  // context.
  static absl::StatusOr<CudaStreamPoolParameters> FromOptions(
      const CudaStreamPoolOptions& options);
  friend bool operator==(const CudaStreamPoolParameters&,
                         const CudaStreamPoolParameters&) = default;

  // Which device Make() is to be given.
  absl::optional<std::int32_t> dev_id;
  std::uint32_t stream_flags = 0;
  std::int32_t stream_priority = 0;
  std::uint32_t reserved_size = 1;
  std::uint32_t max_size = 0;
  std::string nvtx_identifier;
  SmPartition sm_partition;
};

class CudaStreamPool : public std::enable_shared_from_this<CudaStreamPool> {
 public:
  // Makes the reserved streams. A max_size below reserved_size is raised, with
  // a warning in the log. Errors: those of the device.
  static absl::StatusOr<std::shared_ptr<CudaStreamPool>> Make(
      std::shared_ptr<Device> device,
      const CudaStreamPoolParameters& parameters, absl::string_view name);
  // Ends the streams.
  ~CudaStreamPool();
  CudaStreamPool(const CudaStreamPool&) = delete;
  CudaStreamPool& operator=(const CudaStreamPool&) = delete;

  const std::string& name() const { return name_; }
  const std::shared_ptr<Device>& device() const { return device_; }
  // As they are in force.
  const CudaStreamPoolParameters& parameters() const { return parameters_; }

  // A stream for `holder`, whom errors name. RESOURCE_EXHAUSTED names all who
  // hold one, where there are max_size already; also the errors of the device.
  absl::StatusOr<Stream> Take(absl::string_view holder);
  // Work on it goes on, and that of the next holder comes after it.
  // INVALID_ARGUMENT for a stream that was not taken from this pool.
  absl::Status GiveBack(const Stream& stream);

  // How many streams there are, and how many of them are taken.
  int size() const;
  int num_taken() const;

  // A managed stream, and what keeps it from ending.
  struct Managed {
    Stream stream;
    std::shared_ptr<CudaStreamPool> pool;
  };
  // Nothing for a foreign stream, and for one whose pool is gone.
  static absl::optional<Managed> Find(const StreamCore& stream);

 private:
  struct Entry {
    Stream stream;
    // Empty: free.
    std::string holder;
  };

  CudaStreamPool(std::shared_ptr<Device> device,
                 const CudaStreamPoolParameters& parameters,
                 absl::string_view name);
  absl::Status AddStream() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ExhaustedError(absl::string_view holder) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<Device> device_;
  CudaStreamPoolParameters parameters_;
  const std::string name_;

  mutable Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CUDA_STREAM_POOL_H_
