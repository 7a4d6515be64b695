// DeviceMemory: memory of a stand-in device, seen at several addresses.
//
//   address       who uses it                                 may be touched
//   `data()`      the host; what messages and packets name    pinned, managed:
//                                                             always; device:
//                                                             never
//   read view     work that declares that it reads            while it runs
//   write view    work that declares that it writes           while it runs
//
// Idea: the pages are mapped three times. Where a view is closed, the processor
// refuses any access, so device memory that the host touches, a kernel that
// uses what it does not declare, and one that writes what it declares to read
// end the process with a message (memory_faults.h).
//
// Memory that was given back exists until the work that uses it ends; its
// addresses are not used again for a while, so that late uses are found, too.
//
// Thread rule: any thread.
// Tested by device_memory_test.

#ifndef SYNCLINE_GPU_STAND_IN_DEVICE_MEMORY_H_
#define SYNCLINE_GPU_STAND_IN_DEVICE_MEMORY_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "gpu/stand_in/memory_faults.h"

namespace syncline::gpu {

class DeviceMemory {
 public:
  // Zero at first. `text` names it in messages. RESOURCE_EXHAUSTED if the
  // machine has no more.
  static absl::StatusOr<std::shared_ptr<DeviceMemory>> Make(
      MemoryStorageType kind, std::size_t size, int device,
      absl::string_view text);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // The memory that has the byte at `address`, also one that was given back;
  // null if there is none.
  static std::shared_ptr<DeviceMemory> Find(const void* address);

  std::byte* data() const { return host_; }
  std::size_t size() const { return size_; }
  MemoryStorageType kind() const { return kind_; }
  // The number of the device in its StandIn.
  int device() const { return device_; }
  const std::string& text() const { return text_; }

  // Marks it as given back.
  void GiveBack() { is_given_back_.store(true); }
  bool is_given_back() const { return is_given_back_.load(); }

  // The address of byte `offset` in a view, which is open until CloseView.
  std::byte* OpenView(bool may_write, std::size_t offset);
  void CloseView(bool may_write);

 private:
  struct View {
    std::byte* begin = nullptr;
    int num_users = 0;
    FaultRange range;
  };

  DeviceMemory(MemoryStorageType kind, std::size_t size, int device,
               absl::string_view text);
  // 0, or an errno.
  int Map();
  void NameRanges();

  const MemoryStorageType kind_;
  const std::size_t size_;
  const std::size_t mapped_size_;  // whole pages
  const int device_;
  const std::string text_;
  std::atomic<bool> is_given_back_{false};
  std::byte* host_ = nullptr;
  FaultRange host_range_;
  Mutex mutex_;
  // For reading, for writing.
  std::array<View, 2> views_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_DEVICE_MEMORY_H_
