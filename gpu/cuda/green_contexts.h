// GreenContexts: streams that have a part of the multiprocessors (SMs) of a
// CUDA device.
//
// CUDA calls such a part a green context. The runtime of CUDA 13.0 makes none,
// so they come from the driver interface (section "Green Contexts" of its
// documentation): its functions are asked for by name, as the program is not
// linked with a library of the driver. Their streams are used by the runtime
// like any others.
//
//   all SMs ──cuDevSmResourceSplitByCount──> part 0, part 1, ..., the rest
//   part ──cuGreenCtxCreate──> green context ──cuGreenCtxStreamCreate──> stream
//
// Streams that ask for the same division share its parts. The parts of two
// divisions may overlap.
//
// Thread rule: any thread.
// Tested by cuda_driver_calls_test, and on a device by cuda_device_test.

#ifndef SYNCLINE_GPU_CUDA_GREEN_CONTEXTS_H_
#define SYNCLINE_GPU_CUDA_GREEN_CONTEXTS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

class GreenContexts {
 public:
  // Of CUDA device `device`, which messages call `name`.
  GreenContexts(int device, std::string name);
  // REQUIRES: its streams were dropped.
  ~GreenContexts();
  GreenContexts(const GreenContexts&) = delete;
  GreenContexts& operator=(const GreenContexts&) = delete;

  // A stream that does not wait for the default stream. UNIMPLEMENTED where the
  // driver, or the toolkit of this build, has no green contexts;
  // INVALID_ARGUMENT for a division that the device has not, with the number
  // of its multiprocessors. REQUIRES: partition.sms_per_partition > 0; the
  // device is the thread's current one.
  absl::StatusOr<cudaStream_t> MakeStream(const SmPartition& partition,
                                          int priority);

 private:
  // num_partitions and sms_per_partition.
  using Division = std::pair<std::uint32_t, std::uint32_t>;

  struct Functions;
  // The parts of a division, with the contexts that were asked for.
  class Parts;

  const int device_;
  const std::string name_;
  Mutex mutex_;
  // Null until the first stream is asked for.
  std::shared_ptr<const Functions> functions_ ABSL_GUARDED_BY(mutex_);
  std::map<Division, std::unique_ptr<Parts>> parts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_GREEN_CONTEXTS_H_
