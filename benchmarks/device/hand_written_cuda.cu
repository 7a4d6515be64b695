// The program of hand_written_program.h on CUDA: each call is one of the CUDA
// runtime, and nothing of Syncline's is in between.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/device/hand_written.h"
#include "benchmarks/device/hand_written_program.h"
#include "benchmarks/device/rounds.h"
#include "benchmarks/device/workloads.h"

namespace syncline {
namespace {

constexpr int kThreads = 256;

__device__ std::int64_t OwnElement() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void MapGrid(const std::uint32_t* in, std::uint32_t* out,
                        std::int64_t count, std::int32_t rounds) {
  const std::int64_t i = OwnElement();
  if (i < count) out[i] = MixRounds(in[i], rounds);
}

__global__ void BeginGrid(std::uint32_t* numbers, std::int64_t count,
                          std::int64_t packet, std::int32_t rounds) {
  const std::int64_t i = OwnElement();
  if (i < count) numbers[i] = MixRounds(NumberOfPacket(packet, i), rounds);
}

__global__ void GoOnGrid(std::uint32_t* numbers, std::int64_t count,
                         std::int32_t rounds) {
  const std::int64_t i = OwnElement();
  if (i < count) numbers[i] = MixRounds(numbers[i], rounds);
}

unsigned BlocksFor(std::int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

class CudaApi {
 public:
  using Stream = cudaStream_t;
  using Event = cudaEvent_t;
  struct Memory {
    void* data = nullptr;
    bool is_host = false;
  };

  explicit CudaApi(int device) : device_(device) {}

  void Begin() {
    error_.clear();
    Note(cudaSetDevice(device_), "cudaSetDevice");
  }
  const std::string& error() const { return error_; }

  Stream MakeStream() {
    Stream stream = nullptr;
    if (!error_.empty()) return stream;
    Note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
         "cudaStreamCreateWithFlags");
    return stream;
  }
  void DropStream(Stream stream) {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
  Event MakeEvent() {
    Event event = nullptr;
    if (!error_.empty()) return event;
    Note(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
         "cudaEventCreateWithFlags");
    return event;
  }
  void Drop(Event event) {
    if (event != nullptr) cudaEventDestroy(event);
  }

  Memory AllocateHost(std::size_t bytes) {
    Memory memory{nullptr, true};
    if (!error_.empty()) return memory;
    Note(cudaMallocHost(&memory.data, bytes), "cudaMallocHost");
    return memory;
  }
  Memory AllocateDevice(std::size_t bytes) {
    Memory memory{nullptr, false};
    if (!error_.empty()) return memory;
    Note(cudaMalloc(&memory.data, bytes), "cudaMalloc");
    return memory;
  }
  void Free(const Memory& memory) {
    if (memory.data == nullptr) return;
    memory.is_host ? cudaFreeHost(memory.data) : cudaFree(memory.data);
  }
  static std::uint32_t* Numbers(const Memory& memory) {
    return static_cast<std::uint32_t*>(memory.data);
  }

  void Copy(Stream stream, const Memory& to, const Memory& from,
            std::size_t bytes) {
    if (!error_.empty()) return;
    Note(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDefault, stream),
         "cudaMemcpyAsync");
  }
  void LaunchMap(Stream stream, const Memory& in, const Memory& out,
                 std::int64_t count, std::int32_t rounds) {
    if (!error_.empty()) return;
    MapGrid<<<BlocksFor(count), kThreads, 0, stream>>>(
        Numbers(in), Numbers(out), count, rounds);
    Note(cudaGetLastError(), "the launch of MapGrid");
  }
  void LaunchBegin(Stream stream, const Memory& numbers, std::int64_t count,
                   std::int64_t packet, std::int32_t rounds) {
    if (!error_.empty()) return;
    BeginGrid<<<BlocksFor(count), kThreads, 0, stream>>>(Numbers(numbers),
                                                         count, packet, rounds);
    Note(cudaGetLastError(), "the launch of BeginGrid");
  }
  void LaunchGoOn(Stream stream, const Memory& numbers, std::int64_t count,
                  std::int32_t rounds) {
    if (!error_.empty()) return;
    GoOnGrid<<<BlocksFor(count), kThreads, 0, stream>>>(Numbers(numbers), count,
                                                        rounds);
    Note(cudaGetLastError(), "the launch of GoOnGrid");
  }

  void Record(Event event, Stream stream) {
    if (!error_.empty()) return;
    Note(cudaEventRecord(event, stream), "cudaEventRecord");
  }
  void Wait(Stream stream, Event event) {
    if (!error_.empty()) return;
    Note(cudaStreamWaitEvent(stream, event, 0), "cudaStreamWaitEvent");
  }
  void Synchronize(Stream stream) {
    if (stream == nullptr) return;
    Note(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }

 private:
  void Note(cudaError_t error, const char* call) {
    if (error == cudaSuccess || !error_.empty()) return;
    error_ = std::string("the hand-written program: ") + call + ": " +
             cudaGetErrorString(error);
  }

  int device_;
  std::string error_;
};

}  // namespace

std::unique_ptr<HandWritten> MakeHandWrittenForCuda(int device) {
  return std::make_unique<HandWrittenProgram<CudaApi>>(CudaApi(device));
}

}  // namespace syncline
