// CudaDriver: a CUDA device, by the CUDA runtime.
//
// Each call makes the device the calling thread's current one and puts the one
// before back. It goes to the runtime by runtime_calls.h, which counts it.
//
// Without a driver of NVIDIA or without a device, every call gives the status
// of ListDevices() (gpu/devices.h), and nothing crashes. After an error of work
// on the device every call gives that error, and functions of the host that
// still wait behind the work are destroyed. CUDA does not say which work it
// was, so the error has what the streams of the device were given last.
//
// HOST FUNCTIONS go by cudaStreamAddCallback. cudaLaunchHostFunc, its
// successor, keeps silent when work before the function fails: then nobody
// would learn that it is not going to run.
//
// COPIES leave the direction to CUDA, which knows every address that it gave
// and takes any other for the host's. So they may cross devices, too:
// and copies between devices go directly once UsePeer() has been called, where
// the devices can reach each other; else CUDA takes the way over the host.
//
// STREAM-ORDERED MEMORY comes from pools of CUDA: from one of the driver's own,
// which keeps what it has, so that in steady state the device is not asked for
// memory, or from one that MakePool() made.
//
// CAPTURES of CUDA graphs by other threads go on while this driver asks, waits
// and allocates. What such a call is refused for is no error of the device.
//
// Thread rule: any thread.
// Tested by cuda_driver_test, cuda_driver_calls_test, cuda_device_test and
// cuda_driver_failure_test.

#ifndef SYNCLINE_GPU_CUDA_CUDA_DRIVER_H_
#define SYNCLINE_GPU_CUDA_CUDA_DRIVER_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda/green_contexts.h"
#include "gpu/cuda/runtime_calls.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"

namespace syncline::gpu::internal {

class CudaDriver final : public DeviceDriver {
 public:
  // Of the CUDA device `info.index`, which may be one that is not there.
  explicit CudaDriver(DeviceInfo info);
  // REQUIRES: its memory was given back, its streams and events were dropped.
  ~CudaDriver() override;
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  absl::string_view name() const override { return name_; }
  const DeviceInfo& info() const override { return info_; }

  // INVALID_ARGUMENT for system memory, which no device has to do with, and for
  // 0 bytes.
  absl::StatusOr<DriverMemory> TakeMemory(MemoryStorageType kind,
                                          std::size_t bytes,
                                          absl::string_view name) override;
  void GiveMemoryBack(const DriverMemory& memory) override;
  absl::StatusOr<DriverMemory> TakeMemoryAsync(StreamHandle stream,
                                               std::size_t bytes,
                                               absl::string_view name) override;
  absl::Status GiveMemoryBackAsync(StreamHandle stream,
                                   const DriverMemory& memory) override;
  absl::StatusOr<PoolHandle> MakePool(std::size_t kept_bytes) override;
  void DropPool(PoolHandle pool) override;
  absl::StatusOr<DriverMemory> TakeMemoryFrom(PoolHandle pool,
                                              StreamHandle stream,
                                              std::size_t bytes,
                                              absl::string_view name) override;

  absl::StatusOr<StreamHandle> MakeStream(
      const StreamOptions& options) override;
  void DropStream(StreamHandle stream) override;
  void NameStream(StreamHandle stream, const char* name) override;

  absl::Status Copy(StreamHandle stream, void* to, const void* from,
                    std::size_t bytes, absl::string_view name) override;
  bool ReadsAtOnce(const void* from) override;
  void UsePeer(int device) override;
  absl::Status Fill(StreamHandle stream, void* to, std::uint8_t value,
                    std::size_t bytes, absl::string_view name) override;
  absl::Status Launch(StreamHandle stream, const Kernel& kernel,
                      const KernelLaunch& launch) override;
  absl::Status CallHost(StreamHandle stream,
                        std::function<void()> function) override;

  absl::StatusOr<EventHandle> MakeEvent(bool has_time) override;
  void DropEvent(EventHandle event) override;
  absl::Status Record(EventHandle event, StreamHandle stream) override;
  absl::Status WaitFor(StreamHandle stream, EventHandle event) override;
  absl::StatusOr<bool> HasEnded(EventHandle event) override;
  absl::StatusOr<std::int64_t> NanosecondsBetween(EventHandle begin,
                                                  EventHandle end) override;

  absl::Status HostWaitForEvent(EventHandle event) override;
  absl::Status HostWaitForStream(StreamHandle stream) override;

  int MakeCurrent() override;
  void PutBackCurrent(int before) override;

  absl::Status Health() override;
  void DescribeWorkBy(std::function<std::string()> describe) override;

 private:
  // Calls `call`, which returns a cudaError_t, for this device. `what` and
  // `name` are what the error says that it was to do.
  template <typename Call>
  absl::Status Do(absl::string_view what, absl::string_view name,
                  const Call& call);
  absl::Status Failed(cudaError_t error, absl::string_view what,
                      absl::string_view name);
  absl::Status NoBytes(absl::string_view name) const;
  absl::StatusOr<StreamHandle> MakeStreamOfPart(const StreamOptions& options);
  // The pool of stream-ordered memory, which the first call makes.
  absl::StatusOr<cudaMemPool_t> Pool();
  cudaError_t CreatePool(std::uint64_t kept_bytes, cudaMemPool_t* pool) const;
  cudaError_t AskHealth() ABSL_LOCKS_EXCLUDED(mutex_);

  const DeviceInfo info_;
  const std::string name_;
  GreenContexts green_contexts_;
  std::atomic<bool> has_failed_ = false;
  Mutex mutex_;
  // The first error of work on the device; set once, before has_failed_.
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  cudaMemPool_t pool_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // Has no work. The first question for the health makes it.
  cudaStream_t health_stream_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::function<std::string()> describe_ ABSL_GUARDED_BY(mutex_);
  // Those for which access was asked for, by number.
  std::set<int> peers_ ABSL_GUARDED_BY(mutex_);
};

// --- Implementation details follow.

template <typename Call>
absl::Status CudaDriver::Do(absl::string_view what, absl::string_view name,
                            const Call& call) {
  if (has_failed_.load(std::memory_order_acquire)) {
    MutexLock lock(&mutex_);
    return failure_;
  }
  CurrentDevice device(info_.index);
  cudaError_t error = device.error();
  if (error == cudaSuccess) error = call();
  if (error == cudaSuccess) return absl::OkStatus();
  return Failed(error, what, name);
}

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_CUDA_DRIVER_H_
