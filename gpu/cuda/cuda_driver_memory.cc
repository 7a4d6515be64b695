// Memory of CudaDriver.

#include <cuda_runtime_api.h>

#include <atomic>
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
         name, [&] {
           const BesideCaptures beside_captures;
           return Allocate(kind, &data, bytes);
         });
  if (!status.ok()) return status;
  return DriverMemory{static_cast<std::byte*>(data), bytes, kind};
}

void CudaDriver::GiveMemoryBack(const DriverMemory& memory) {
  if (memory.data == nullptr) return;
  const bool is_pinned = memory.storage_type == MemoryStorageType::kHost;
  if (is_pinned && has_failed_.load(std::memory_order_acquire)) {
    // It is memory of the host, and may outlive the device. CUDA may refuse to
    // take it back: then the process has it until its end.
    CallRuntime(RuntimeCall::kFree, cudaFreeHost, memory.data);
    return;
  }
  // Of a device that failed, its own memory is gone.
  Do("giving back memory", "", [&] {
    const BesideCaptures beside_captures;
    return CallRuntime(RuntimeCall::kFree, is_pinned ? cudaFreeHost : cudaFree,
                       memory.data);
  }).IgnoreError();
}

cudaError_t CudaDriver::CreatePool(std::uint64_t kept_bytes,
                                   cudaMemPool_t* pool) const {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = info_.index;
  cudaError_t error =
      CallRuntime(RuntimeCall::kAllocate, cudaMemPoolCreate, pool, &properties);
  if (error != cudaSuccess) return error;
  error = CallRuntime(RuntimeCall::kOther, cudaMemPoolSetAttribute, *pool,
                      cudaMemPoolAttrReleaseThreshold, &kept_bytes);
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

absl::StatusOr<PoolHandle> CudaDriver::MakePool(std::size_t kept_bytes) {
  int has_pools = 0;
  cudaMemPool_t pool = nullptr;
  absl::Status status = Do("making a memory pool", "", [&] {
    const BesideCaptures beside_captures;
    const cudaError_t error =
        CallRuntime(RuntimeCall::kOther, cudaDeviceGetAttribute, &has_pools,
                    cudaDevAttrMemoryPoolsSupported, info_.index);
    if (error != cudaSuccess || has_pools == 0) return error;
    return CreatePool(kept_bytes, &pool);
  });
  if (!status.ok()) return status;
  if (has_pools != 0) return static_cast<PoolHandle>(pool);
  return absl::UnimplementedError(absl::StrCat(
      name_, " has no stream-ordered memory; use a pool of blocks"));
}

void CudaDriver::DropPool(PoolHandle pool) {
  if (pool == nullptr) return;
  Do("dropping a memory pool", "", [&] {
    const BesideCaptures beside_captures;
    return CallRuntime(RuntimeCall::kFree, cudaMemPoolDestroy,
                       static_cast<cudaMemPool_t>(pool));
  }).IgnoreError();
}

absl::StatusOr<cudaMemPool_t> CudaDriver::Pool() {
  {
    MutexLock lock(&mutex_);
    if (pool_ != nullptr) return pool_;
  }
  absl::StatusOr<PoolHandle> pool =
      MakePool(std::numeric_limits<std::size_t>::max());
  if (!pool.ok()) return pool.status();
  PoolHandle second = nullptr;
  cudaMemPool_t kept = nullptr;
  {
    MutexLock lock(&mutex_);
    // Another thread may have been faster.
    if (pool_ == nullptr) {
      pool_ = static_cast<cudaMemPool_t>(*pool);
    } else {
      second = *pool;
    }
    kept = pool_;
  }
  DropPool(second);
  return kept;
}

absl::StatusOr<DriverMemory> CudaDriver::TakeMemoryAsync(
    StreamHandle stream, std::size_t bytes, absl::string_view name) {
  if (bytes == 0) return NoBytes(name);
  absl::StatusOr<cudaMemPool_t> pool = Pool();
  if (!pool.ok()) return pool.status();
  return TakeMemoryFrom(*pool, stream, bytes, name);
}

absl::StatusOr<DriverMemory> CudaDriver::TakeMemoryFrom(
    PoolHandle pool, StreamHandle stream, std::size_t bytes,
    absl::string_view name) {
  if (bytes == 0) return NoBytes(name);
  void* data = nullptr;
  absl::Status status = Do(
      absl::StrCat("taking ", bytes, " bytes of stream-ordered memory for"),
      name, [&] {
        return CallRuntime(RuntimeCall::kAllocateAsync, cudaMallocFromPoolAsync,
                           &data, bytes, static_cast<cudaMemPool_t>(pool),
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
