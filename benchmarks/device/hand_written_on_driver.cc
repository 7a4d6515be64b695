#include "benchmarks/device/hand_written_on_driver.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/device/hand_written_program.h"
#include "benchmarks/device/rounds_kernels.h"
#include "framework/allocator.h"
#include "gpu/kernel.h"

namespace syncline {
namespace {

class DriverApi {
 public:
  using Stream = gpu::StreamHandle;
  using Event = gpu::EventHandle;
  using Memory = gpu::DriverMemory;

  explicit DriverApi(gpu::DeviceDriver* driver) : driver_(driver) {}

  void Begin() { error_.clear(); }
  const std::string& error() const { return error_; }

  Stream MakeStream() {
    return error_.empty() ? Value(driver_->MakeStream({.flags = 1})) : nullptr;
  }
  void DropStream(Stream stream) {
    if (stream != nullptr) driver_->DropStream(stream);
  }
  Event MakeEvent() {
    return error_.empty() ? Value(driver_->MakeEvent(/*has_time=*/false))
                          : nullptr;
  }
  void Drop(Event event) {
    if (event != nullptr) driver_->DropEvent(event);
  }

  Memory AllocateHost(std::size_t bytes) {
    return Allocate(MemoryStorageType::kHost, bytes);
  }
  Memory AllocateDevice(std::size_t bytes) {
    return Allocate(MemoryStorageType::kDevice, bytes);
  }
  void Free(const Memory& memory) {
    if (memory.data != nullptr) driver_->GiveMemoryBack(memory);
  }
  static std::uint32_t* Numbers(const Memory& memory) {
    return reinterpret_cast<std::uint32_t*>(memory.data);
  }

  void Copy(Stream stream, const Memory& to, const Memory& from,
            std::size_t bytes) {
    if (!error_.empty()) return;
    Note(driver_->Copy(stream, to.data, from.data, bytes, "by hand"));
  }
  void LaunchMap(Stream stream, const Memory& in, const Memory& out,
                 std::int64_t count, std::int32_t rounds) {
    Launch(stream, kMapRounds, count, RoundsParameters{rounds},
           {{in.data, in.size, false}, {out.data, out.size, true}});
  }
  void LaunchBegin(Stream stream, const Memory& numbers, std::int64_t count,
                   std::int64_t packet, std::int32_t rounds) {
    Launch(stream, kBeginRounds, count, BeginRoundsParameters{packet, rounds},
           {{numbers.data, numbers.size, true}});
  }
  void LaunchGoOn(Stream stream, const Memory& numbers, std::int64_t count,
                  std::int32_t rounds) {
    Launch(stream, kGoOnRounds, count, RoundsParameters{rounds},
           {{numbers.data, numbers.size, true}});
  }

  void Record(Event event, Stream stream) {
    if (error_.empty()) Note(driver_->Record(event, stream));
  }
  void Wait(Stream stream, Event event) {
    if (error_.empty()) Note(driver_->WaitFor(stream, event));
  }
  void Synchronize(Stream stream) {
    if (stream != nullptr) Note(driver_->HostWaitForStream(stream));
  }

 private:
  void Note(const absl::Status& status) {
    if (status.ok() || !error_.empty()) return;
    error_ = absl::StrCat("the hand-written program: ", status.message());
  }
  template <typename T>
  T Value(const absl::StatusOr<T>& value) {
    Note(value.status());
    return value.ok() ? *value : T{};
  }
  Memory Allocate(MemoryStorageType kind, std::size_t bytes) {
    return error_.empty() ? Value(driver_->TakeMemory(kind, bytes, "by hand"))
                          : Memory{};
  }
  template <typename Parameters>
  void Launch(Stream stream, const gpu::Kernel& kernel, std::int64_t count,
              const Parameters& parameters,
              std::initializer_list<gpu::KernelBuffer> buffers) {
    if (!error_.empty()) return;
    Note(driver_->Launch(stream, kernel,
                         {.count = count,
                          .buffers = buffers.begin(),
                          .num_buffers = static_cast<int>(buffers.size()),
                          .parameters = &parameters,
                          .parameters_size = sizeof(parameters)}));
  }

  gpu::DeviceDriver* driver_;
  std::string error_;
};

}  // namespace

std::unique_ptr<HandWritten> MakeHandWrittenOnDriver(
    gpu::DeviceDriver* driver) {
  return std::make_unique<HandWrittenProgram<DriverApi>>(DriverApi(driver));
}

}  // namespace syncline
