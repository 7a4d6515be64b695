#include "gpu/cuda/cuda_driver.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "gpu/cuda/cuda_status.h"
#include "gpu/cuda/host_calls.h"
#include "gpu/cuda/runtime_calls.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/kernel_check.h"
#include "gpu/nvtx.h"

namespace syncline::gpu::internal {
namespace {

cudaStream_t Stream(StreamHandle stream) {
  return static_cast<cudaStream_t>(stream);
}

cudaEvent_t Event(EventHandle event) { return static_cast<cudaEvent_t>(event); }

// On a thread of CUDA. With an error, the function is destroyed instead.
void CUDART_CB RunHostCall(cudaStream_t, cudaError_t error, void* token) {
  const std::function<void()> function = HostCalls::Global().Take(token);
  if (function && error == cudaSuccess) function();
}

}  // namespace

CudaDriver::CudaDriver(DeviceInfo info)
    : info_(std::move(info)), name_(absl::StrCat("cuda:", info_.index)) {}

CudaDriver::~CudaDriver() {
  MutexLock lock(&mutex_);
  if (pool_ == nullptr) return;
  CurrentDevice device(info_.index);
  CallRuntime(RuntimeCall::kFree, cudaMemPoolDestroy, pool_);
}

absl::Status CudaDriver::Failed(cudaError_t error, absl::string_view what,
                                absl::string_view name) {
  absl::Status status = CudaCallStatus(
      error, name_,
      name.empty() ? std::string(what) : absl::StrCat(what, " \"", name, "\""));
  if (!IsSticky(error)) return status;
  {
    MutexLock lock(&mutex_);
    if (failure_.ok()) failure_ = std::move(status);
    status = failure_;
    has_failed_.store(true, std::memory_order_release);
  }
  HostCalls::Global().DropAllOf(this);
  return status;
}

// --- Streams

absl::StatusOr<StreamHandle> CudaDriver::MakeStream(
    const StreamOptions& options) {
  if (options.flags != cudaStreamDefault &&
      options.flags != cudaStreamNonBlocking) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": there is no stream with the flags ",
                     options.flags, "; 0 and 1 are known"));
  }
  cudaStream_t stream = nullptr;
  absl::Status status = Do("making a stream", "", [&] {
    int least = 0;
    int most = 0;  // A smaller number: 0 down to -5, say.
    const cudaError_t error = CallRuntime(
        RuntimeCall::kOther, cudaDeviceGetStreamPriorityRange, &least, &most);
    if (error != cudaSuccess) return error;
    return CallRuntime(RuntimeCall::kMakeStream, cudaStreamCreateWithPriority,
                       &stream, options.flags,
                       std::clamp(options.priority, most, least));
  });
  if (!status.ok()) return status;
  return static_cast<StreamHandle>(stream);
}

void CudaDriver::DropStream(StreamHandle stream) {
  if (stream == nullptr) return;
  Do("dropping a stream", "", [&] {
    return CallRuntime(RuntimeCall::kDropStream, cudaStreamDestroy,
                       Stream(stream));
  }).IgnoreError();
}

void CudaDriver::NameStream(StreamHandle stream, const char* name) {
  NameStreamForNvtx(stream, name);
}

// --- Work

absl::Status CudaDriver::Copy(StreamHandle stream, void* to, const void* from,
                              std::size_t bytes, absl::string_view name) {
  return Do("copy", name, [&] {
    if (bytes == 0) return cudaSuccess;
    return CallRuntime(RuntimeCall::kCopy, cudaMemcpyAsync, to, from, bytes,
                       cudaMemcpyDefault, Stream(stream));
  });
}

// CUDA copies pageable memory of the host in the call, to pinned memory of its
// own ("API synchronization behavior" of the CUDA Runtime API), except where
// the device can read it itself. Pinned and managed memory it reads later.
bool CudaDriver::ReadsAtOnce(const void* from) {
  bool is_pageable = false;
  int device_reads_pageable = 1;
  const absl::Status status = Do("asking about memory of the host", "", [&] {
    cudaPointerAttributes attributes = {};
    const cudaError_t error = CallRuntime(
        RuntimeCall::kOther, cudaPointerGetAttributes, &attributes, from);
    is_pageable = attributes.type == cudaMemoryTypeUnregistered;
    if (error != cudaSuccess || !is_pageable) return error;
    return CallRuntime(RuntimeCall::kOther, cudaDeviceGetAttribute,
                       &device_reads_pageable, cudaDevAttrPageableMemoryAccess,
                       info_.index);
  });
  return status.ok() && is_pageable && device_reads_pageable == 0;
}

absl::Status CudaDriver::Fill(StreamHandle stream, void* to, std::uint8_t value,
                              std::size_t bytes, absl::string_view name) {
  return Do("fill", name, [&] {
    if (bytes == 0) return cudaSuccess;
    return CallRuntime(RuntimeCall::kFill, cudaMemsetAsync, to, value, bytes,
                       Stream(stream));
  });
}

absl::Status CudaDriver::Launch(StreamHandle stream, const Kernel& kernel,
                                const KernelLaunch& launch) {
  absl::Status fits =
      CheckLaunch(name_, kernel, kernel.cuda != nullptr, launch);
  if (!fits.ok()) return fits;
  const NvtxRange range(kernel.name);
  return Do("kernel", kernel.name, [&] {
    CountRuntimeCall(RuntimeCall::kLaunch);
    return static_cast<cudaError_t>(kernel.cuda(stream, launch));
  });
}

absl::Status CudaDriver::CallHost(StreamHandle stream,
                                  std::function<void()> function) {
  void* token = HostCalls::Global().Keep(this, std::move(function));
  absl::Status status = Do("a function of the host", "", [&] {
    return CallRuntime(RuntimeCall::kCallHost, cudaStreamAddCallback,
                       Stream(stream), &RunHostCall, token, 0u);
  });
  // Destroys the function, if nobody has it yet.
  if (!status.ok()) HostCalls::Global().Take(token);
  return status;
}

// --- Events

absl::StatusOr<EventHandle> CudaDriver::MakeEvent(bool has_time) {
  cudaEvent_t event = nullptr;
  // A host that waits sleeps: the threads of a graph have other work.
  const unsigned flags =
      cudaEventBlockingSync | (has_time ? 0u : cudaEventDisableTiming);
  absl::Status status = Do("making an event", "", [&] {
    return CallRuntime(RuntimeCall::kMakeEvent, cudaEventCreateWithFlags,
                       &event, flags);
  });
  if (!status.ok()) return status;
  return static_cast<EventHandle>(event);
}

void CudaDriver::DropEvent(EventHandle event) {
  if (event == nullptr) return;
  Do("dropping an event", "", [&] {
    return CallRuntime(RuntimeCall::kDropEvent, cudaEventDestroy, Event(event));
  }).IgnoreError();
}

absl::Status CudaDriver::Record(EventHandle event, StreamHandle stream) {
  return Do("recording an event", "", [&] {
    return CallRuntime(RuntimeCall::kRecordEvent, cudaEventRecord, Event(event),
                       Stream(stream));
  });
}

absl::Status CudaDriver::WaitFor(StreamHandle stream, EventHandle event) {
  return Do("letting a stream wait for an event", "", [&] {
    return CallRuntime(RuntimeCall::kWaitForEvent, cudaStreamWaitEvent,
                       Stream(stream), Event(event), 0u);
  });
}

absl::StatusOr<bool> CudaDriver::HasEnded(EventHandle event) {
  bool has_ended = true;
  absl::Status status = Do("asking whether an event has ended", "", [&] {
    const cudaError_t error =
        CallRuntime(RuntimeCall::kAskEvent, cudaEventQuery, Event(event));
    has_ended = error != cudaErrorNotReady;
    return has_ended ? error : cudaSuccess;
  });
  if (!status.ok()) return status;
  return has_ended;
}

absl::StatusOr<std::int64_t> CudaDriver::NanosecondsBetween(EventHandle begin,
                                                            EventHandle end) {
  float milliseconds = 0;
  absl::Status status = Do("asking for the time between events", "", [&] {
    return CallRuntime(RuntimeCall::kAskEvent, cudaEventElapsedTime,
                       &milliseconds, Event(begin), Event(end));
  });
  if (!status.ok()) return status;
  return static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
}

// --- The host waits

absl::Status CudaDriver::HostWaitForEvent(EventHandle event) {
  return Do("waiting for an event", "", [&] {
    return CallRuntime(RuntimeCall::kSynchronize, cudaEventSynchronize,
                       Event(event));
  });
}

absl::Status CudaDriver::HostWaitForStream(StreamHandle stream) {
  return Do("waiting for a stream", "", [&] {
    return CallRuntime(RuntimeCall::kSynchronize, cudaStreamSynchronize,
                       Stream(stream));
  });
}

// --- The current device

// An error shows in the calls for which the device was to be the current one.
int CudaDriver::MakeCurrent() {
  int before = 0;
  cudaError_t error =
      CallRuntime(RuntimeCall::kSelectDevice, cudaGetDevice, &before);
  if (error != cudaSuccess || before == info_.index) return kNoDevice;
  error = CallRuntime(RuntimeCall::kSelectDevice, cudaSetDevice, info_.index);
  return error == cudaSuccess ? before : kNoDevice;
}

void CudaDriver::PutBackCurrent(int before) {
  CallRuntime(RuntimeCall::kSelectDevice, cudaSetDevice, before);
}

absl::Status CudaDriver::Health() {
  return Do("asking for the health of the device", "", [&] {
    // A question about any stream brings an error of any work.
    const cudaError_t error =
        CallRuntime(RuntimeCall::kOther, cudaStreamQuery, cudaStream_t{});
    return error == cudaErrorNotReady ? cudaSuccess : error;
  });
}

}  // namespace syncline::gpu::internal
