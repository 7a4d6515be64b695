// What the driver asks of the CUDA runtime, and what it makes of the answers,
// on any machine: this file has a runtime of its own, which notes the calls and
// gives the errors that a test wants.

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/runtime_calls.h"

namespace {

// The state of the runtime of this file.
struct FakeRuntime {
  int device = 0;
  std::vector<std::string> calls;
  std::map<std::string, cudaError_t> errors;
  int has_pools = 1;
  // What the device and the address of a copy are.
  int reads_pageable = 0;
  cudaMemoryType memory_type = cudaMemoryTypeUnregistered;
  // The last callback, which waits for a test to call it.
  cudaStreamCallback_t callback = nullptr;
  void* callback_data = nullptr;
  // What pointers and handles are made of.
  char memory[64];
};

FakeRuntime runtime;

// Notes a call, and gives its error.
template <typename... Arguments>
cudaError_t Note(const std::string& name, const Arguments&... arguments) {
  std::string call = name;
  (absl::StrAppend(&call, " ", arguments), ...);
  runtime.calls.push_back(call);
  const auto found = runtime.errors.find(name);
  return found == runtime.errors.end() ? cudaSuccess : found->second;
}

template <typename T>
void Give(T* out) {
  *out = reinterpret_cast<T>(runtime.memory);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDevice(int* device) {
  *device = runtime.device;
  const auto found = runtime.errors.find("get_device");
  return found == runtime.errors.end() ? cudaSuccess : found->second;
}
cudaError_t cudaSetDevice(int device) {
  runtime.device = device;
  return Note("set_device", device);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 3;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrPageableMemoryAccess ? runtime.reads_pageable
                                                        : runtime.has_pools;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                     const void*) {
  attributes->type = runtime.memory_type;
  return Note("pointer");
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int) {
  *can = device != 2;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "name"; }
const char* cudaGetErrorString(cudaError_t) { return "text"; }

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  Give(data);
  return Note("malloc", bytes);
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  Give(data);
  return Note("malloc_host", bytes);
}
cudaError_t cudaMallocManaged(void** data, std::size_t bytes, unsigned) {
  Give(data);
  return Note("malloc_managed", bytes);
}
cudaError_t cudaFree(void*) { return Note("free"); }
cudaError_t cudaFreeHost(void*) { return Note("free_host"); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* by) {
  Give(pool);
  return Note("pool_create", by->location.id);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return Note("pool_destroy"); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return Note("pool_set");
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc* access,
                                 std::size_t) {
  return Note("pool_access", access->location.id);
}
cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes,
                                    cudaMemPool_t, cudaStream_t) {
  Give(data);
  return Note("malloc_async", bytes);
}
cudaError_t cudaFreeAsync(void*, cudaStream_t) { return Note("free_async"); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* most) {
  *least = 0;
  *most = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags,
                                         int priority) {
  Give(stream);
  return Note("stream", flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return Note("stream_destroy"); }
cudaError_t cudaStreamQuery(cudaStream_t) { return Note("stream_query"); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return Note("stream_sync"); }
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t) {
  return Note("copy", bytes, kind == cudaMemcpyDefault ? "any" : "one way");
}
cudaError_t cudaMemsetAsync(void*, int value, std::size_t bytes, cudaStream_t) {
  return Note("fill", value, bytes);
}
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t callback,
                                  void* data, unsigned) {
  runtime.callback = callback;
  runtime.callback_data = data;
  return Note("callback");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  Give(event);
  return Note("event", flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return Note("event_destroy"); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return Note("record");
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return Note("wait");
}
cudaError_t cudaEventQuery(cudaEvent_t) { return Note("event_query"); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return Note("event_sync"); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t,
                                 cudaEvent_t) {
  *milliseconds = 1.5f;
  return Note("elapsed");
}

}  // extern "C"

namespace syncline::gpu::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaDriverCallsTest : public ::testing::Test {
 protected:
  CudaDriverCallsTest() { runtime = FakeRuntime{.device = 1}; }

  // The calls since the last time.
  std::vector<std::string> Calls() { return std::exchange(runtime.calls, {}); }

  CudaDriver driver_{DeviceInfo{.index = 1, .name = "Fake"}};
  DriverMemory some_ = {.data = reinterpret_cast<std::byte*>(runtime.memory),
                        .size = 8};
};

TEST_F(CudaDriverCallsTest, TheDeviceIsChosenAndPutBack) {
  CudaDriver other({.index = 2});
  EXPECT_TRUE(other.Fill(nullptr, some_.data, 7, 8, "fill").ok());
  EXPECT_THAT(Calls(), ElementsAre("set_device 2", "fill 7 8", "set_device 1"));
  EXPECT_TRUE(driver_.Fill(nullptr, some_.data, 7, 8, "fill").ok());
  EXPECT_THAT(Calls(), ElementsAre("fill 7 8"));
}

TEST_F(CudaDriverCallsTest, ADeviceIsMadeCurrentForCodeOfOthers) {
  CudaDriver other({.index = 2});
  const RuntimeCallCounts before = CountRuntimeCalls();
  EXPECT_EQ(other.MakeCurrent(), 1);
  EXPECT_THAT(Calls(), ElementsAre("set_device 2"));
  other.PutBackCurrent(1);
  EXPECT_THAT(Calls(), ElementsAre("set_device 1"));
  EXPECT_EQ((CountRuntimeCalls() - before)[RuntimeCall::kSelectDevice], 3);
}

TEST_F(CudaDriverCallsTest, TheCurrentDeviceIsLeftAlone) {
  EXPECT_EQ(driver_.MakeCurrent(), DeviceDriver::kNoDevice);
  EXPECT_THAT(Calls(), IsEmpty());
}

TEST_F(CudaDriverCallsTest, ADeviceThatCannotBeCurrentIsNotPutBack) {
  CudaDriver other({.index = 2});
  runtime.errors["set_device"] = cudaErrorInvalidDevice;
  EXPECT_EQ(other.MakeCurrent(), DeviceDriver::kNoDevice);
  runtime.errors["get_device"] = cudaErrorNoDevice;
  EXPECT_EQ(other.MakeCurrent(), DeviceDriver::kNoDevice);
}

TEST_F(CudaDriverCallsTest, MemoryComesFromItsKindAndGoesBackToIt) {
  for (auto [kind, calls] : std::map<MemoryStorageType, std::string>{
           {MemoryStorageType::kHost, "malloc_host 8 free_host"},
           {MemoryStorageType::kDevice, "malloc 8 free"},
           {MemoryStorageType::kManaged, "malloc_managed 8 free"}}) {
    const absl::StatusOr<DriverMemory> memory =
        driver_.TakeMemory(kind, 8, "memory");
    ASSERT_TRUE(memory.ok());
    EXPECT_EQ(memory->size, 8u);
    driver_.GiveMemoryBack(*memory);
    const std::vector<std::string> made = Calls();
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(absl::StrCat(made[0], " ", made[1]), calls);
  }
}

TEST_F(CudaDriverCallsTest, ExhaustionIsNamedAndPasses) {
  runtime.errors["malloc"] = cudaErrorMemoryAllocation;
  const absl::Status status =
      driver_.TakeMemory(MemoryStorageType::kDevice, 8, "frame").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(),
              HasSubstr("cuda:1: taking 8 bytes of device memory for "
                        "\"frame\": text (name)"));
  runtime.errors.clear();
  EXPECT_TRUE(driver_.TakeMemory(MemoryStorageType::kDevice, 8, "frame").ok());
}

TEST_F(CudaDriverCallsTest, ThePoolIsMadeOnceAndLetsPeersIn) {
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<DriverMemory> memory =
        driver_.TakeMemoryAsync(nullptr, 8, "memory");
    ASSERT_TRUE(memory.ok());
    EXPECT_TRUE(driver_.GiveMemoryBackAsync(nullptr, *memory).ok());
  }
  EXPECT_THAT(Calls(), ElementsAre("pool_create 1", "pool_set", "pool_access 0",
                                   "malloc_async 8", "free_async",
                                   "malloc_async 8", "free_async"));
}

TEST_F(CudaDriverCallsTest, APoolThatCannotBeLeavesNothing) {
  runtime.errors["pool_access"] = cudaErrorInvalidValue;
  EXPECT_FALSE(driver_.TakeMemoryAsync(nullptr, 8, "memory").ok());
  EXPECT_THAT(Calls(), ElementsAre("pool_create 1", "pool_set", "pool_access 0",
                                   "pool_destroy"));
  runtime.has_pools = 0;
  EXPECT_EQ(driver_.TakeMemoryAsync(nullptr, 8, "memory").status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_THAT(Calls(), IsEmpty());
}

TEST_F(CudaDriverCallsTest, PrioritiesAreThoseOfTheDevice) {
  for (int priority : {-100, -3, 100}) {
    ASSERT_TRUE(driver_.MakeStream({.flags = 1, .priority = priority}).ok());
  }
  EXPECT_THAT(Calls(), ElementsAre("stream 1 -5", "stream 1 -3", "stream 1 0"));
}

TEST_F(CudaDriverCallsTest, CopiesLeaveTheDirectionToCuda) {
  EXPECT_TRUE(driver_.Copy(nullptr, some_.data, some_.data, 3, "copy").ok());
  EXPECT_TRUE(driver_.Copy(nullptr, some_.data, nullptr, 0, "none").ok());
  EXPECT_THAT(Calls(), ElementsAre("copy 3 any"));
}

TEST_F(CudaDriverCallsTest, OnlyMemoryThatCudaStagesIsReadAtOnce) {
  EXPECT_TRUE(driver_.ReadsAtOnce(some_.data));
  for (const cudaMemoryType type :
       {cudaMemoryTypeHost, cudaMemoryTypeManaged, cudaMemoryTypeDevice}) {
    runtime.memory_type = type;
    EXPECT_FALSE(driver_.ReadsAtOnce(some_.data));
  }
  runtime.memory_type = cudaMemoryTypeUnregistered;
  runtime.reads_pageable = 1;
  EXPECT_FALSE(driver_.ReadsAtOnce(some_.data));
  runtime.reads_pageable = 0;
  runtime.errors["pointer"] = cudaErrorInvalidValue;
  EXPECT_FALSE(driver_.ReadsAtOnce(some_.data));
}

TEST_F(CudaDriverCallsTest, EventsHaveTimeIfTheyAreToHaveIt) {
  ASSERT_TRUE(driver_.MakeEvent(true).ok());
  ASSERT_TRUE(driver_.MakeEvent(false).ok());
  EXPECT_THAT(Calls(), ElementsAre("event 1", "event 3"));
  EXPECT_EQ(*driver_.NanosecondsBetween(nullptr, nullptr), 1'500'000);
  EXPECT_TRUE(*driver_.HasEnded(nullptr));
  runtime.errors["event_query"] = cudaErrorNotReady;
  EXPECT_FALSE(*driver_.HasEnded(nullptr));
  runtime.errors["stream_query"] = cudaErrorNotReady;
  EXPECT_TRUE(driver_.Health().ok());
  runtime.errors["elapsed"] = cudaErrorNotReady;
  EXPECT_EQ(driver_.NanosecondsBetween(nullptr, nullptr).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CudaDriverCallsTest, AFunctionOfTheHostRunsOnceOrNotAtAll) {
  int runs = 0;
  const auto held = std::make_shared<int>();
  ASSERT_TRUE(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).ok());
  EXPECT_EQ(held.use_count(), 2);
  runtime.callback(nullptr, cudaSuccess, runtime.callback_data);
  runtime.callback(nullptr, cudaSuccess, runtime.callback_data);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(held.use_count(), 1);

  ASSERT_TRUE(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).ok());
  runtime.callback(nullptr, cudaErrorIllegalAddress, runtime.callback_data);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(held.use_count(), 1);

  runtime.errors["callback"] = cudaErrorInvalidResourceHandle;
  EXPECT_EQ(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(CudaDriverCallsTest, AnErrorOfWorkStaysAndDropsFunctionsOfTheHost) {
  int runs = 0;
  const auto held = std::make_shared<int>();
  CudaDriver other({.index = 0});
  ASSERT_TRUE(other.CallHost(nullptr, [held] {}).ok());
  ASSERT_TRUE(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).ok());
  EXPECT_EQ(held.use_count(), 3);
  runtime.errors["event_sync"] = cudaErrorIllegalAddress;
  const absl::Status status = driver_.HostWaitForEvent(nullptr);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(status.message(), HasSubstr("cuda:1: waiting for an event"));
  EXPECT_EQ(held.use_count(), 2);  // That of the other device.

  // A callback that comes late finds nothing.
  runtime.callback(nullptr, cudaSuccess, runtime.callback_data);
  EXPECT_EQ(runs, 0);

  runtime.errors.clear();
  Calls();
  EXPECT_EQ(driver_.Health(), status);
  EXPECT_EQ(driver_.MakeEvent(false).status(), status);
  EXPECT_EQ(driver_.Fill(nullptr, some_.data, 0, 8, "fill"), status);
  EXPECT_EQ(driver_.CallHost(nullptr, [held] {}), status);
  EXPECT_EQ(held.use_count(), 2);
  driver_.GiveMemoryBack(some_);
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_TRUE(other.Health().ok());
}

TEST_F(CudaDriverCallsTest, AKernelGetsItsStreamAndItsErrorIsNamed) {
  static void* seen;
  static int error;
  error = cudaSuccess;
  const Kernel kernel = {.name = "Draw",
                         .cuda = [](void* stream, const KernelLaunch&) {
                           seen = stream;
                           return error;
                         }};
  EXPECT_TRUE(driver_.Launch(runtime.memory, kernel, {.count = 1}).ok());
  EXPECT_EQ(seen, runtime.memory);
  error = cudaErrorNoKernelImageForDevice;
  const absl::Status status = driver_.Launch(nullptr, kernel, {.count = 1});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("cuda:1: kernel \"Draw\""));
  EXPECT_TRUE(driver_.Health().ok());
}

TEST_F(CudaDriverCallsTest, CallsAreCountedByWhatTheyDo) {
  const RuntimeCallCounts before = CountRuntimeCalls();
  ASSERT_TRUE(driver_.Record(nullptr, nullptr).ok());
  ASSERT_TRUE(driver_.WaitFor(nullptr, nullptr).ok());
  ASSERT_TRUE(driver_.HostWaitForStream(nullptr).ok());
  EXPECT_EQ((CountRuntimeCalls() - before).ToString(),
            "synchronize 1, record event 1, wait for event 1, "
            "select device 3");
}

TEST_F(CudaDriverCallsTest, ADriverThatDoesNotFitSaysOnlyThat) {
  runtime.errors["get_device"] = cudaErrorSystemDriverMismatch;
  const absl::Status status = driver_.MakeStream({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "text (name); install an NVIDIA driver that serves this CUDA "
            "runtime");
  EXPECT_EQ(driver_.Health(), status);
}

}  // namespace
}  // namespace syncline::gpu::internal
