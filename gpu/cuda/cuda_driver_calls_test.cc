// What the driver asks of the CUDA runtime, and what it makes of the answers,
// on any machine: this file has a runtime of its own, which notes the calls and
// gives the errors that a test wants. As CUDA's does, it keeps the last error
// of the thread, and refuses what disturbs the capture of another thread.

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/memory/allocator.h"
#include "framework/packet/timestamp.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/notice_thread.h"
#include "gpu/runtime_calls.h"
#include "gpu/stream.h"
#include "gpu/work_owner.h"

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
  std::uint64_t kept_by_pool = 0;
  cudaError_t last_error = cudaSuccess;
  // Whether another thread captures a CUDA graph, and whether a call of this
  // one has ended that.
  bool is_capturing = false;
  bool is_capture_broken = false;
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
  // Of the driver interface: its multiprocessors, and the smallest part.
  bool has_green_contexts = true;
  unsigned num_sms = 20;
  unsigned smallest_part = 2;
  // The last callback, which waits for a test to call it.
  cudaStreamCallback_t callback = nullptr;
  void* callback_data = nullptr;
  // What pointers and handles are made of.
  char memory[64];
};

FakeRuntime runtime;

cudaError_t Return(cudaError_t error) {
  if (error != cudaSuccess) runtime.last_error = error;
  return error;
}

// Notes a call, and gives its error.
template <typename... Arguments>
cudaError_t Note(const std::string& name, const Arguments&... arguments) {
  std::string call = name;
  (absl::StrAppend(&call, " ", arguments), ...);
  runtime.calls.push_back(call);
  const auto found = runtime.errors.find(name);
  return Return(found == runtime.errors.end() ? cudaSuccess : found->second);
}

// The same for a call that may disturb the capture of another thread.
template <typename... Arguments>
cudaError_t NoteUnsafe(const std::string& name, const Arguments&... arguments) {
  if (runtime.is_capturing &&
      runtime.capture_mode != cudaStreamCaptureModeRelaxed) {
    runtime.is_capture_broken = true;
    return Return(cudaErrorStreamCaptureUnsupported);
  }
  return Note(name, arguments...);
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
  return Return(found == runtime.errors.end() ? cudaSuccess : found->second);
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
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return Note("enable_peer", peer);
}
cudaError_t cudaGetLastError() {
  return std::exchange(runtime.last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() { return runtime.last_error; }
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, runtime.capture_mode);
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) { return "name"; }
const char* cudaGetErrorString(cudaError_t) { return "text"; }

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  Give(data);
  return NoteUnsafe("malloc", bytes);
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  Give(data);
  return NoteUnsafe("malloc_host", bytes);
}
cudaError_t cudaMallocManaged(void** data, std::size_t bytes, unsigned) {
  Give(data);
  return Note("malloc_managed", bytes);
}
cudaError_t cudaFree(void*) { return NoteUnsafe("free"); }
cudaError_t cudaFreeHost(void*) { return NoteUnsafe("free_host"); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* by) {
  Give(pool);
  return Note("pool_create", by->location.id);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return Note("pool_destroy"); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr,
                                    void* value) {
  runtime.kept_by_pool = *static_cast<std::uint64_t*>(value);
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
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (runtime.is_capturing && stream == nullptr) {
    runtime.is_capture_broken = true;
    return Return(cudaErrorStreamCaptureImplicit);
  }
  return NoteUnsafe("stream_query");
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return NoteUnsafe("stream_sync");
}
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

cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult* result);

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
cudaError_t cudaEventQuery(cudaEvent_t) { return NoteUnsafe("event_query"); }
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return NoteUnsafe("event_sync");
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t,
                                 cudaEvent_t) {
  *milliseconds = 1.5f;
  return Note("elapsed");
}

}  // extern "C"

namespace {

// The functions of the driver interface, which are had by their names.
CUresult DeviceGet(CUdevice* device, int number) {
  *device = number;
  return CUDA_SUCCESS;
}
CUresult GetResource(CUdevice, CUdevResource* all, CUdevResourceType type) {
  all->type = type;
  all->sm.smCount = runtime.num_sms;
  return CUDA_SUCCESS;
}
CUresult Split(CUdevResource* parts, unsigned* num_parts,
               const CUdevResource* all, CUdevResource* rest, unsigned,
               unsigned least) {
  const unsigned size = (least + runtime.smallest_part - 1) /
                        runtime.smallest_part * runtime.smallest_part;
  *num_parts = std::min(*num_parts, all->sm.smCount / size);
  for (unsigned i = 0; i < *num_parts; ++i) parts[i].sm.smCount = size;
  rest->sm.smCount = all->sm.smCount - *num_parts * size;
  Note("split", *num_parts, "of", size);
  return CUDA_SUCCESS;
}
CUresult Describe(CUdevResourceDesc* described, CUdevResource* part, unsigned) {
  Give(described);
  Note("describe", part->sm.smCount);
  return CUDA_SUCCESS;
}
CUresult CreateGreen(CUgreenCtx* context, CUdevResourceDesc, CUdevice device,
                     unsigned) {
  Give(context);
  return Note("create_green", device) == cudaSuccess ? CUDA_SUCCESS
                                                     : CUDA_ERROR_NOT_SUPPORTED;
}
CUresult DestroyGreen(CUgreenCtx) {
  Note("destroy_green");
  return CUDA_SUCCESS;
}
CUresult CreateStreamOfGreen(CUstream* stream, CUgreenCtx, unsigned flags,
                             int priority) {
  Give(stream);
  Note("stream_of_green", flags, priority);
  return CUDA_SUCCESS;
}
CUresult ErrorText(CUresult, const char** text) {
  *text = "text";
  return CUDA_SUCCESS;
}

}  // namespace

cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult* result) {
  const std::map<std::string, void*> functions = {
      {"cuDeviceGet", reinterpret_cast<void*>(&DeviceGet)},
      {"cuDeviceGetDevResource", reinterpret_cast<void*>(&GetResource)},
      {"cuDevSmResourceSplitByCount", reinterpret_cast<void*>(&Split)},
      {"cuDevResourceGenerateDesc", reinterpret_cast<void*>(&Describe)},
      {"cuGreenCtxCreate", reinterpret_cast<void*>(&CreateGreen)},
      {"cuGreenCtxDestroy", reinterpret_cast<void*>(&DestroyGreen)},
      {"cuGreenCtxStreamCreate", reinterpret_cast<void*>(&CreateStreamOfGreen)},
      {"cuGetErrorString", reinterpret_cast<void*>(&ErrorText)}};
  const auto found = functions.find(symbol);
  const bool has_it = found != functions.end() && runtime.has_green_contexts;
  *function = has_it ? found->second : nullptr;
  *result =
      has_it ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

namespace syncline::gpu::internal {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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
  NoticeThread::WaitForPosted();
  EXPECT_EQ(held.use_count(), 1);

  ASSERT_TRUE(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).ok());
  runtime.callback(nullptr, cudaErrorIllegalAddress, runtime.callback_data);
  EXPECT_EQ(runs, 1);
  NoticeThread::WaitForPosted();
  EXPECT_EQ(held.use_count(), 1);

  runtime.errors["callback"] = cudaErrorInvalidResourceHandle;
  EXPECT_EQ(driver_.CallHost(nullptr, [&runs, held] { ++runs; }).code(),
            absl::StatusCode::kInvalidArgument);
  NoticeThread::WaitForPosted();
  EXPECT_EQ(held.use_count(), 1);
}

// A callback of CUDA must not use devices, and a thread that gives work to a
// stream must not wait for it.
TEST_F(CudaDriverCallsTest, FunctionsOfTheHostAreDestroyedOnTheNoticeThread) {
  struct Witness {
    std::thread::id* destroyed_on;
    ~Witness() { *destroyed_on = std::this_thread::get_id(); }
  };
  std::thread::id notice_thread;
  NoticeThread::Post([&] { notice_thread = std::this_thread::get_id(); });
  std::thread::id destroyed_on;
  const auto call = [&] {
    destroyed_on = std::thread::id();
    // Moved, and never copied: the last one counts.
    auto witness = std::make_shared<Witness>(Witness{&destroyed_on});
    destroyed_on = std::thread::id();
    return driver_.CallHost(nullptr, [held = std::move(witness)] {});
  };
  const auto expect_there = [&](const char* how) {
    NoticeThread::WaitForPosted();
    EXPECT_EQ(destroyed_on, notice_thread) << how;
  };
  ASSERT_TRUE(call().ok());
  runtime.callback(nullptr, cudaSuccess, runtime.callback_data);
  expect_there("it ran");
  ASSERT_TRUE(call().ok());
  runtime.callback(nullptr, cudaErrorIllegalAddress, runtime.callback_data);
  expect_there("work before it failed");
  runtime.errors["callback"] = cudaErrorInvalidResourceHandle;
  ASSERT_FALSE(call().ok());
  expect_there("it was refused");
  runtime.errors.clear();
  ASSERT_TRUE(call().ok());
  runtime.errors["event_sync"] = cudaErrorIllegalAddress;
  EXPECT_FALSE(driver_.HostWaitForEvent(nullptr).ok());
  expect_there("the device failed");
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
  NoticeThread::WaitForPosted();
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
  NoticeThread::WaitForPosted();
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
            "select device 3, other 2");
}

// --- What the runtime notes for the thread, and for other threads

TEST_F(CudaDriverCallsTest, NoAnswerIsLeftAsTheLastErrorOfTheThread) {
  const auto expect_none = [](const char* after) {
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << after;
  };
  runtime.errors["event_query"] = cudaErrorNotReady;
  EXPECT_FALSE(*driver_.HasEnded(nullptr));
  expect_none("an event that has not ended");
  runtime.errors["stream_query"] = cudaErrorNotReady;
  EXPECT_TRUE(driver_.Health().ok());
  expect_none("a stream that has not ended");
  runtime.errors["elapsed"] = cudaErrorNotReady;
  EXPECT_FALSE(driver_.NanosecondsBetween(nullptr, nullptr).ok());
  expect_none("a time that is not there");
  runtime.errors["get_device"] = cudaErrorNoDevice;
  EXPECT_EQ(driver_.MakeCurrent(), DeviceDriver::kNoDevice);
  expect_none("a device that cannot be current");
  // A form that checks its launch finds that one's error only.
  runtime.errors.erase("get_device");
  const Kernel kernel = {.name = "Draw",
                         .cuda = [](void*, const KernelLaunch&) {
                           return static_cast<int>(cudaGetLastError());
                         }};
  EXPECT_FALSE(*driver_.HasEnded(nullptr));
  EXPECT_TRUE(driver_.Launch(nullptr, kernel, {.count = 1}).ok());
}

TEST_F(CudaDriverCallsTest, ACaptureOfAnotherThreadGoesOn) {
  runtime.is_capturing = true;
  EXPECT_TRUE(driver_.HasEnded(nullptr).value_or(false));
  EXPECT_TRUE(driver_.Health().ok());
  EXPECT_TRUE(driver_.HostWaitForEvent(nullptr).ok());
  EXPECT_TRUE(driver_.HostWaitForStream(nullptr).ok());
  const absl::StatusOr<DriverMemory> memory =
      driver_.TakeMemory(MemoryStorageType::kDevice, 8, "memory");
  ASSERT_TRUE(memory.ok());
  driver_.GiveMemoryBack(*memory);
  EXPECT_FALSE(runtime.is_capture_broken);
  EXPECT_EQ(runtime.capture_mode, cudaStreamCaptureModeGlobal)
      << "the mode of the thread is as it was";
}

// --- Errors of the device, and of questions

TEST_F(CudaDriverCallsTest, ARefusedQuestionIsNoErrorOfTheDevice) {
  for (const char* call : {"event_query", "stream_query"}) {
    runtime.errors[call] = cudaErrorStreamCaptureUnsupported;
  }
  EXPECT_FALSE(driver_.HasEnded(nullptr).ok());
  EXPECT_TRUE(driver_.Health().ok());
  runtime.errors["stream_query"] = cudaErrorIllegalAddress;
  EXPECT_FALSE(driver_.Health().ok());
}

class CudaDriverInDeviceTest : public CudaDriverCallsTest {
 protected:
  CudaDriverInDeviceTest() {
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(
        std::make_unique<CudaDriver>(DeviceInfo{.index = 1, .name = "Fake"}));
    device_ = DeviceGroup::Make(std::move(drivers), false)[0];
  }
  std::shared_ptr<Device> device_;
};

TEST_F(CudaDriverInDeviceTest, WorkIsNotOverBecauseNobodyMayAsk) {
  {
    const Stream stream = *Stream::Make(device_, {}, "s");
    const DeviceBuffer buffer = *DeviceBuffer::Allocate(
        device_, MemoryStorageType::kDevice, 8, "memory");
    ASSERT_TRUE(stream.Fill(Writes(buffer), 1).ok());
    runtime.errors["event_query"] = cudaErrorStreamCaptureUnsupported;
    runtime.errors["stream_query"] = cudaErrorStreamCaptureUnsupported;
    EXPECT_FALSE(stream.core().IsOver(stream.Now().work().number));
  }
  Calls();
  device_->GiveEndedMemoryBack();
  EXPECT_THAT(Calls(), Not(Contains("free")));
  runtime.errors.clear();
  device_->GiveEndedMemoryBack();
  EXPECT_THAT(Calls(), Contains("free"));
}

TEST_F(CudaDriverInDeviceTest, AnErrorOfWorkNamesTheLastWorkOfEachStream) {
  const Stream stream = *Stream::Make(device_, {}, "bad/0");
  const Stream other = *Stream::Make(device_, {}, "up/0");
  const DeviceBuffer buffer =
      *DeviceBuffer::Allocate(device_, MemoryStorageType::kDevice, 8, "memory");
  {
    const WorkOwnerScope scope(
        {std::make_shared<const std::string>("bad"), Timestamp(40)});
    ASSERT_TRUE(stream.Fill(Writes(buffer), 1).ok());
  }
  runtime.errors["fill"] = cudaErrorIllegalAddress;
  // Another node meets it.
  const WorkOwnerScope scope(
      {std::make_shared<const std::string>("up"), Timestamp(41)});
  const absl::Status status = other.Fill(Writes(buffer), 1);
  EXPECT_THAT(
      status.message(),
      HasSubstr("The streams of the device were given last, the newest first: "
                "\"fill\" of node \"up\" at 41 on stream \"up/0\", \"fill\" "
                "of node \"bad\" at 40 on stream \"bad/0\""));
  EXPECT_THAT(device_->Health().message(),
              HasSubstr("node \"bad\" at 40 on stream \"bad/0\""));
}

TEST_F(CudaDriverCallsTest, PinnedMemoryOfADeviceThatFailedIsAskedBack) {
  runtime.errors["event_sync"] = cudaErrorIllegalAddress;
  EXPECT_FALSE(driver_.HostWaitForEvent(nullptr).ok());
  Calls();
  some_.storage_type = MemoryStorageType::kHost;
  driver_.GiveMemoryBack(some_);
  EXPECT_THAT(Calls(), ElementsAre("free_host"));
}

// --- Other devices, and pools

TEST_F(CudaDriverCallsTest, AccessToAPeerIsAskedForOnceAndMayBeRefused) {
  driver_.UsePeer(2);
  driver_.UsePeer(2);
  EXPECT_THAT(Calls(), ElementsAre("enable_peer 2"));
  runtime.errors["enable_peer"] = cudaErrorPeerAccessAlreadyEnabled;
  driver_.UsePeer(0);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  CudaDriver far({.index = 2});
  far.UsePeer(0);
  EXPECT_THAT(Calls(),
              ElementsAre("enable_peer 0", "set_device 2", "set_device 1"))
      << "CUDA says that device 2 reaches no other";
  EXPECT_TRUE(driver_.Health().ok());
}

TEST_F(CudaDriverCallsTest, StreamsOfOneDivisionShareItsParts) {
  {
    CudaDriver driver({.index = 1});
    StreamOptions options = {
        .flags = 1,
        .priority = -3,
        .partition = {.sms_per_partition = 7, .num_partitions = 2}};
    ASSERT_TRUE(driver.MakeStream(options).ok());
    EXPECT_THAT(Calls(),
                ElementsAre("set_device 1", "split 2 of 8", "describe 8",
                            "create_green 1", "stream_of_green 1 -3"));
    ASSERT_TRUE(driver.MakeStream(options).ok());
    EXPECT_THAT(Calls(), ElementsAre("set_device 1", "stream_of_green 1 -3"));
    options.partition.index = -1;
    ASSERT_TRUE(driver.MakeStream(options).ok());
    EXPECT_THAT(Calls(), ElementsAre("set_device 1", "describe 4",
                                     "create_green 1", "stream_of_green 1 -3"));
  }
  EXPECT_THAT(Calls(), ElementsAre("destroy_green", "destroy_green"));
}

TEST_F(CudaDriverCallsTest, PartsThatTheDeviceHasNotAreErrors) {
  const auto error = [this](std::uint32_t sms, std::uint32_t partitions,
                            int index, unsigned flags = 1) {
    return driver_
        .MakeStream({.flags = flags,
                     .partition = {.sms_per_partition = sms,
                                   .num_partitions = partitions,
                                   .index = index}})
        .status();
  };
  EXPECT_EQ(error(21, 1, 0).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(error(7, 3, 0).message(),
              HasSubstr("cuda:1 has 20 multiprocessors, and cannot be divided "
                        "into 3 parts of 7 multiprocessors"));
  EXPECT_THAT(error(4, 0xffffffff, 0).message(), HasSubstr("20 multi"));
  EXPECT_THAT(error(10, 2, -1).message(), HasSubstr("as nothing is left"));
  EXPECT_THAT(error(10, 2, 5).message(), HasSubstr("there is no part 5"));
  EXPECT_THAT(error(10, 2, 0, /*flags=*/0).message(),
              HasSubstr("give it the flags 1"));
  runtime.errors["create_green"] = cudaErrorNotSupported;
  EXPECT_EQ(error(10, 2, 0).code(), absl::StatusCode::kUnimplemented);
  runtime.errors.clear();
  EXPECT_TRUE(error(10, 2, 0).ok());
}

TEST_F(CudaDriverCallsTest, ADriverWithoutGreenContextsSaysSo) {
  runtime.has_green_contexts = false;
  const absl::Status status =
      driver_.MakeStream({.flags = 1, .partition = {.sms_per_partition = 8}})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              HasSubstr("cuda:1: the driver has no green contexts"));
  EXPECT_TRUE(driver_.MakeStream({.flags = 1}).ok());
}

TEST_F(CudaDriverCallsTest, APoolKeepsWhatItIsToldTo) {
  const absl::StatusOr<PoolHandle> pool = driver_.MakePool(4096);
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ(runtime.kept_by_pool, 4096u);
  EXPECT_TRUE(driver_.TakeMemoryFrom(*pool, nullptr, 8, "memory").ok());
  driver_.DropPool(*pool);
  EXPECT_THAT(Calls(), ElementsAre("pool_create 1", "pool_set", "pool_access 0",
                                   "malloc_async 8", "pool_destroy"));
  // That of the driver keeps all.
  EXPECT_TRUE(driver_.TakeMemoryAsync(nullptr, 8, "memory").ok());
  EXPECT_EQ(runtime.kept_by_pool, ~std::uint64_t{0});
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
