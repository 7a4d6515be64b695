// Memory of CudaDriver.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/cuda/runtime_calls.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {
namespace {

cudaError_t Allocate(MemoryStorageType kind, void** data, std::size_t bytes) {
  switch (kind) {
    case MemoryStorageType::kHost:
      return CallRuntime(RuntimeCall::kAllocate, cudaMallocHost, data, bytes);
    case MemoryStorageType::kManaged:
      return CallRuntime(RuntimeCall::kAllocate, cudaMallocManaged, data, bytes,
                         cudaMemAttachGlobal);
    default:
      return CallRuntime(RuntimeCall::kAllocate, cudaMalloc, data, bytes);
  }
}

}  // namespace

absl::Status CudaDriver::NoBytes(absl::string_view name) const {
  return absl::InvalidArgumentError(absl::StrCat(
      name_, ": \"", name, "\" asks for 0 bytes; ask for at least 1"));
}

absl::StatusOr<DriverMemory> CudaDriver::TakeMemory(MemoryStorageType kind,
                                                    std::size_t bytes,
                                                    absl::string_view name) {
  if (kind != MemoryStorageType::kHost && kind != MemoryStorageType::kDevice &&
      kind != MemoryStorageType::kManaged) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, ": \"", name, "\" asks for ", MemoryStorageTypeName(kind),
        " memory; a device has host, device and managed memory, "
        "and UnboundedAllocator gives the machine's"));
  }
  if (bytes == 0) return NoBytes(name);
  void* data = nullptr;
  absl::Status status =
      Do(absl::StrCat("taking ", bytes, " bytes of ",
                      MemoryStorageTypeName(kind), " memory for"),
         name, [&] { return Allocate(kind, &data, bytes); });
  if (!status.ok()) return status;
  return DriverMemory{static_cast<std::byte*>(data), bytes, kind};
}

void CudaDriver::GiveMemoryBack(const DriverMemory& memory) {
  if (memory.data == nullptr) return;
  // Of a device that failed, the memory is gone already.
  Do("giving back memory", "", [&] {
    return CallRuntime(RuntimeCall::kFree,
                       memory.storage_type == MemoryStorageType::kHost
                           ? cudaFreeHost
                           : cudaFree,
                       memory.data);
  }).IgnoreError();
}

cudaError_t CudaDriver::MakePool(cudaMemPool_t* pool) const {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = info_.index;
  cudaError_t error =
      CallRuntime(RuntimeCall::kAllocate, cudaMemPoolCreate, pool, &properties);
  if (error != cudaSuccess) return error;
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  error = CallRuntime(RuntimeCall::kOther, cudaMemPoolSetAttribute, *pool,
                      cudaMemPoolAttrReleaseThreshold, &keep);
  int count = 0;
  if (error == cudaSuccess) {
    error = CallRuntime(RuntimeCall::kOther, cudaGetDeviceCount, &count);
  }
  // For copies to and from other devices.
  for (int i = 0; i < count && error == cudaSuccess; ++i) {
    int can_access = 0;
    if (i == info_.index) continue;
    error = CallRuntime(RuntimeCall::kOther, cudaDeviceCanAccessPeer,
                        &can_access, i, info_.index);
    if (error != cudaSuccess || can_access == 0) continue;
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = i;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    error = CallRuntime(RuntimeCall::kOther, cudaMemPoolSetAccess, *pool,
                        &access, std::size_t{1});
  }
  if (error != cudaSuccess) {
    CallRuntime(RuntimeCall::kFree, cudaMemPoolDestroy, *pool);
  }
  return error;
}

absl::StatusOr<cudaMemPool_t> CudaDriver::Pool() {
  {
    MutexLock lock(&mutex_);
    if (pool_ != nullptr) return pool_;
  }
  int has_pools = 0;
  cudaMemPool_t pool = nullptr;
  absl::Status status = Do("making a memory pool", "", [&] {
    const cudaError_t error =
        CallRuntime(RuntimeCall::kOther, cudaDeviceGetAttribute, &has_pools,
                    cudaDevAttrMemoryPoolsSupported, info_.index);
    if (error != cudaSuccess || has_pools == 0) return error;
    return MakePool(&pool);
  });
  if (!status.ok()) return status;
  if (has_pools == 0) {
    return absl::UnimplementedError(absl::StrCat(
        name_, " has no stream-ordered memory; use a pool of blocks"));
  }
  MutexLock lock(&mutex_);
  // Another thread may have been faster.
  if (pool_ == nullptr) {
    pool_ = pool;
  } else {
    CallRuntime(RuntimeCall::kFree, cudaMemPoolDestroy, pool);
  }
  return pool_;
}

absl::StatusOr<DriverMemory> CudaDriver::TakeMemoryAsync(
    StreamHandle stream, std::size_t bytes, absl::string_view name) {
  if (bytes == 0) return NoBytes(name);
  absl::StatusOr<cudaMemPool_t> pool = Pool();
  if (!pool.ok()) return pool.status();
  void* data = nullptr;
  absl::Status status =
      Do(absl::StrCat("taking ", bytes, " bytes of stream-ordered memory for"),
         name, [&] {
           if (bytes == 0) return cudaSuccess;
           return CallRuntime(RuntimeCall::kAllocateAsync,
                              cudaMallocFromPoolAsync, &data, bytes, *pool,
                              static_cast<cudaStream_t>(stream));
         });
  if (!status.ok()) return status;
  return DriverMemory{static_cast<std::byte*>(data), bytes,
                      MemoryStorageType::kDevice};
}

absl::Status CudaDriver::GiveMemoryBackAsync(StreamHandle stream,
                                             const DriverMemory& memory) {
  return Do("giving back stream-ordered memory", "", [&] {
    if (memory.data == nullptr) return cudaSuccess;
    return CallRuntime(RuntimeCall::kFreeAsync, cudaFreeAsync, memory.data,
                       static_cast<cudaStream_t>(stream));
  });
}

}  // namespace syncline::gpu::internal
