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
#include "gpu/kernel_forms.h"
#include "gpu/nvtx.h"

namespace syncline::gpu::internal {
namespace {

cudaStream_t Stream(StreamHandle stream) {
  return static_cast<cudaStream_t>(stream);
}

cudaEvent_t Event(EventHandle event) { return static_cast<cudaEvent_t>(event); }

// On a thread of CUDA. With an error, the function does not run.
void CUDART_CB RunHostCall(cudaStream_t, cudaError_t error, void* token) {
  if (error == cudaSuccess) {
    HostCalls::Global().Run(token);
  } else {
    HostCalls::Global().Drop(token);
  }
}

}  // namespace

CudaDriver::CudaDriver(DeviceInfo info)
    : info_(std::move(info)),
      name_(absl::StrCat("cuda:", info_.index)),
      green_contexts_(info_.index, name_) {}

CudaDriver::~CudaDriver() {
  MutexLock lock(&mutex_);
  if (pool_ == nullptr && health_stream_ == nullptr) return;
  CurrentDevice device(info_.index);
  if (health_stream_ != nullptr) {
    CallRuntime(RuntimeCall::kDropStream, cudaStreamDestroy, health_stream_);
  }
  if (pool_ != nullptr) {
    CallRuntime(RuntimeCall::kFree, cudaMemPoolDestroy, pool_);
  }
}

void CudaDriver::DescribeWorkBy(std::function<std::string()> describe) {
  MutexLock lock(&mutex_);
  describe_ = std::move(describe);
}

absl::Status CudaDriver::Failed(cudaError_t error, absl::string_view what,
                                absl::string_view name) {
  absl::Status status = CudaCallStatus(
      error, name_,
      name.empty() ? std::string(what) : absl::StrCat(what, " \"", name, "\""));
  if (!IsSticky(error)) return status;
  {
    MutexLock lock(&mutex_);
    if (failure_.ok()) {
      const std::string last = describe_ == nullptr ? "" : describe_();
      failure_ =
          last.empty()
              ? std::move(status)
              : absl::Status(status.code(),
                             absl::StrCat(status.message(),
                                          ". The streams of the device were "
                                          "given last, the newest first: ",
                                          last));
    }
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
  if (options.partition.sms_per_partition > 0) return MakeStreamOfPart(options);
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

absl::StatusOr<StreamHandle> CudaDriver::MakeStreamOfPart(
    const StreamOptions& options) {
  if (options.flags != cudaStreamNonBlocking) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_,
        ": a stream that has a part of the multiprocessors does not wait for "
        "the default stream: give it the flags 1"));
  }
  absl::StatusOr<cudaStream_t> stream = nullptr;
  absl::Status status = Do("making a stream", "", [&] {
    // The runtime begins with the device.
    const cudaError_t error =
        CallRuntime(RuntimeCall::kSelectDevice, cudaSetDevice, info_.index);
    if (error != cudaSuccess) return error;
    stream = green_contexts_.MakeStream(options.partition, options.priority);
    return cudaSuccess;
  });
  if (!status.ok()) return status;
  if (!stream.ok()) return stream.status();
  return static_cast<StreamHandle>(*stream);
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
    const BesideCaptures beside_captures;
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

// Without access to the memory of each other, copies take the way over the
// host: an error here costs time only.
void CudaDriver::UsePeer(int device) {
  {
    MutexLock lock(&mutex_);
    if (!peers_.insert(device).second) return;
  }
  Do("reaching the memory of another device", "", [&] {
    const BesideCaptures beside_captures;
    int can_access = 0;
    cudaError_t error =
        CallRuntime(RuntimeCall::kOther, cudaDeviceCanAccessPeer, &can_access,
                    info_.index, device);
    if (error != cudaSuccess || can_access == 0) return error;
    error = CallRuntime(RuntimeCall::kOther, cudaDeviceEnablePeerAccess, device,
                        0u);
    return error == cudaErrorPeerAccessAlreadyEnabled ? cudaSuccess : error;
  }).IgnoreError();
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
  const CudaForm::Launch form = CudaForm::Of(kernel);
  absl::Status fits = CheckLaunch(name_, kernel, form != nullptr, launch);
  if (!fits.ok()) return fits;
  const NvtxRange range(kernel.name);
  return Do("kernel", kernel.name, [&] {
    CountRuntimeCall(RuntimeCall::kLaunch);
    return static_cast<cudaError_t>(form(stream, launch));
  });
}

absl::Status CudaDriver::CallHost(StreamHandle stream,
                                  std::function<void()> function) {
  void* token = HostCalls::Global().Keep(this, std::move(function));
  absl::Status status = Do("a function of the host", "", [&] {
    return CallRuntime(RuntimeCall::kCallHost, cudaStreamAddCallback,
                       Stream(stream), &RunHostCall, token, 0u);
  });
  // If nobody has it yet.
  if (!status.ok()) HostCalls::Global().Drop(token);
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
    const BesideCaptures beside_captures;
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
    const BesideCaptures beside_captures;
    return CallRuntime(RuntimeCall::kSynchronize, cudaEventSynchronize,
                       Event(event));
  });
}

absl::Status CudaDriver::HostWaitForStream(StreamHandle stream) {
  return Do("waiting for a stream", "", [&] {
    const BesideCaptures beside_captures;
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

// A question about any stream brings an error of any work. It is not that about
// the default stream, which is no question to ask while a stream that waits for
// the default one is captured.
cudaError_t CudaDriver::AskHealth() {
  const BesideCaptures beside_captures;
  MutexLock lock(&mutex_);
  if (health_stream_ == nullptr) {
    const cudaError_t error =
        CallRuntime(RuntimeCall::kMakeStream, cudaStreamCreateWithPriority,
                    &health_stream_, unsigned{cudaStreamNonBlocking}, 0);
    if (error != cudaSuccess) return error;
  }
  const cudaError_t error =
      CallRuntime(RuntimeCall::kOther, cudaStreamQuery, health_stream_);
  return error == cudaErrorNotReady ? cudaSuccess : error;
}

absl::Status CudaDriver::Health() {
  bool is_asked = false;
  cudaError_t error = cudaSuccess;
  absl::Status status = Do("asking for the health of the device", "", [&] {
    is_asked = true;
    error = AskHealth();
    return error;
  });
  // What the question alone is refused for says nothing about the device.
  if (is_asked && !IsSticky(error) && !SaysThereIsNoDevice(error)) {
    return absl::OkStatus();
  }
  return status;
}

}  // namespace syncline::gpu::internal
