// DeviceDriver: one device, as the code above it sees it.
//
//   gpu/stand_in/  a device in miniature that runs on the host
//   gpu/cuda/      a CUDA device, by the CUDA runtime
//
// Idea: a driver does what it is told and keeps no account of who uses what.
// Which work has to wait for which other work, which memory may be used again,
// and who forgot a wait is known above it (stream.h, device_buffer.h,
// access_order.h), once for all devices. So a driver is small, and each test of
// the rules holds for every device.
//
// WORK is submitted to a stream and returns at once. The work of one stream
// runs in order, that of several streams in any order, except where a stream
// waits for an event. An error of submitted work is sticky: the device reports
// it at every later call (CUDA's rule, which the stand-in follows). `name`
// stands for the work in messages and in traces.
//
// Thread rule: any thread. A driver calls and destroys no code of others under
// a lock of its own. Whoever calls it may hold the lock of a stream, so it
// destroys host functions elsewhere: on a thread of its own, or on the notice
// thread (notice_thread.h).

#ifndef SYNCLINE_GPU_DRIVER_H_
#define SYNCLINE_GPU_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/memory/allocator.h"
#include "gpu/device_list.h"
#include "gpu/kernel.h"

namespace syncline::gpu {

// A stream and an event of a driver; on CUDA, a cudaStream_t and a cudaEvent_t.
// Null is none, and CUDA's default stream where a stream is meant.
using StreamHandle = void*;
using EventHandle = void*;
// A pool of stream-ordered memory; on CUDA, a cudaMemPool_t.
using PoolHandle = void*;

// A part of the multiprocessors (SMs) of a device, for the kernels of a stream.
struct SmPartition {
  friend bool operator==(const SmPartition&, const SmPartition&) = default;

  // The device is divided into so many parts of at least this size. 0: it is
  // not divided. Streams that give the same two numbers share the division.
  std::uint32_t sms_per_partition = 0;
  std::uint32_t num_partitions = 1;
  // Which of the parts, from 0; -1: what the parts leave.
  std::int32_t index = 0;
};

struct StreamOptions {
  // 1: the stream does not wait for the device's default stream
  // (cudaStreamNonBlocking).
  unsigned flags = 0;
  // Lower is more urgent; out of the device's range means its nearest end.
  int priority = 0;
  // With flags 1 only. UNIMPLEMENTED where the device cannot be divided.
  SmPartition partition;
};

// A piece of memory of a driver. `data` is what packets and messages name. It
// is an address of the device: where the memory is the device's alone, the
// host must not touch it.
struct DriverMemory {
  std::byte* data = nullptr;
  std::size_t size = 0;
  MemoryStorageType storage_type = MemoryStorageType::kDevice;
};

class DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;

  // The name by which users choose it: "stand_in:0", "cuda:1".
  virtual absl::string_view name() const = 0;
  virtual const DeviceInfo& info() const = 0;

  // --- Memory, zero or undefined at first, aligned to 256.
  // RESOURCE_EXHAUSTED when the device has not so much left.
  virtual absl::StatusOr<DriverMemory> TakeMemory(MemoryStorageType kind,
                                                  std::size_t bytes,
                                                  absl::string_view name) = 0;
  // REQUIRES: no work on the memory is pending.
  virtual void GiveMemoryBack(const DriverMemory& memory) = 0;
  // Stream-ordered: the memory exists for work that `stream` does from now on,
  // and until all that it was told before GiveMemoryBackAsync. UNIMPLEMENTED
  // where the device has no memory pools.
  virtual absl::StatusOr<DriverMemory> TakeMemoryAsync(
      StreamHandle stream, std::size_t bytes, absl::string_view name) = 0;
  virtual absl::Status GiveMemoryBackAsync(StreamHandle stream,
                                           const DriverMemory& memory) = 0;
  // A pool for stream-ordered memory. When the host waits for the device, what
  // is free in it beyond `kept_bytes` goes back to the device. Null where the
  // device keeps no free memory.
  virtual absl::StatusOr<PoolHandle> MakePool(std::size_t kept_bytes) {
    return nullptr;
  }
  // Its memory may come back later.
  virtual void DropPool(PoolHandle pool) {}
  // TakeMemoryAsync() from a pool; it goes back to it.
  virtual absl::StatusOr<DriverMemory> TakeMemoryFrom(PoolHandle pool,
                                                      StreamHandle stream,
                                                      std::size_t bytes,
                                                      absl::string_view name) {
    return TakeMemoryAsync(stream, bytes, name);
  }

  // --- Streams
  virtual absl::StatusOr<StreamHandle> MakeStream(
      const StreamOptions& options) = 0;
  // Work that was submitted still runs.
  virtual void DropStream(StreamHandle stream) = 0;
  // The name of a stream for profilers of the device, where it has any.
  virtual void NameStream(StreamHandle stream, const char* name) {}

  // --- Work
  // Between any two kinds of memory, of any devices of the same kind of driver.
  // `from` or `to` may be memory of the host that no driver gave; then the copy
  // may block the caller until the memory has been read. Until the copy has
  // ended, `from` stays as it is, except where ReadsAtOnce() says otherwise.
  virtual absl::Status Copy(StreamHandle stream, void* to, const void* from,
                            std::size_t bytes, absl::string_view name) = 0;
  // Whether a copy from this memory of the host has read it when Copy()
  // returns.
  virtual bool ReadsAtOnce(const void* from) = 0;
  // Copies by streams of this device from or to memory of device `device`, of
  // the same kind, are to come: they go directly where that can be. It may take
  // time once.
  virtual void UsePeer(int device) {}
  virtual absl::Status Fill(StreamHandle stream, void* to, std::uint8_t value,
                            std::size_t bytes, absl::string_view name) = 0;
  // UNIMPLEMENTED when the kernel has no form for this kind of device.
  // `launch` and all that it points to is read before the call returns.
  virtual absl::Status Launch(StreamHandle stream, const Kernel& kernel,
                              const KernelLaunch& launch) = 0;
  // Calls `function` on a thread of the driver. The function must not call
  // into any driver: it may only tell somebody else. It is called once, or
  // destroyed without a call if work before it fails.
  virtual absl::Status CallHost(StreamHandle stream,
                                std::function<void()> function) = 0;

  // --- Events
  virtual absl::StatusOr<EventHandle> MakeEvent(bool has_time) = 0;
  virtual void DropEvent(EventHandle event) = 0;
  virtual absl::Status Record(EventHandle event, StreamHandle stream) = 0;
  // What `stream` is told after this begins when what `event` recorded has
  // ended. The event may be of another device of the same kind. Nothing for an
  // event that never recorded.
  virtual absl::Status WaitFor(StreamHandle stream, EventHandle event) = 0;
  virtual absl::StatusOr<bool> HasEnded(EventHandle event) = 0;
  virtual absl::StatusOr<std::int64_t> NanosecondsBetween(EventHandle begin,
                                                          EventHandle end) = 0;

  // --- The host waits
  virtual absl::Status HostWaitForEvent(EventHandle event) = 0;
  virtual absl::Status HostWaitForStream(StreamHandle stream) = 0;

  // --- For code that calls the library of the device itself
  // What such code on this thread means from now on is this device. Returns
  // what it was before, for PutBackCurrent(); kNoDevice if it was this one, or
  // if threads have no such thing.
  static constexpr int kNoDevice = -1;
  virtual int MakeCurrent() { return kNoDevice; }
  virtual void PutBackCurrent(int before) {}

  // The error that the device is in, OK if none: work has failed, or there is
  // no device. It is not the error of the question. It stays.
  virtual absl::Status Health() = 0;
  // `describe` says what the streams of the device were given last, for the
  // error of a device that fails and does not say which work it was. It takes
  // no lock of those who call drivers.
  virtual void DescribeWorkBy(std::function<std::string()> describe) {}
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DRIVER_H_
