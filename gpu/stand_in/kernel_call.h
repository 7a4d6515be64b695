// KernelCall: a launch that waits in a queue, with all that it points to.
// OpenPlace: memory that work may use while it runs.
//
// Thread rule: a call is made on one thread and called on another.
// Tested by stand_in_test.

#ifndef SYNCLINE_GPU_STAND_IN_KERNEL_CALL_H_
#define SYNCLINE_GPU_STAND_IN_KERNEL_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/kernel.h"
#include "gpu/stand_in/device_memory.h"

namespace syncline::gpu {

// An address in memory that is open while the object exists.
class OpenPlace {
 public:
  OpenPlace(std::shared_ptr<DeviceMemory> memory, std::byte* address,
            bool may_write)
      : memory_(std::move(memory)), may_write_(may_write), address_(address) {
    if (memory_ == nullptr) return;
    const auto offset = static_cast<std::size_t>(address - memory_->data());
    address_ = memory_->OpenView(may_write_, offset);
  }
  ~OpenPlace() {
    if (memory_ != nullptr) memory_->CloseView(may_write_);
  }
  OpenPlace(OpenPlace&& other) noexcept
      : memory_(std::move(other.memory_)),
        may_write_(other.may_write_),
        address_(other.address_) {}
  OpenPlace& operator=(OpenPlace&&) = delete;

  std::byte* address() const { return address_; }

 private:
  std::shared_ptr<DeviceMemory> memory_;
  const bool may_write_;
  std::byte* address_;
};

class KernelCall {
 public:
  // `memory` has one piece for each buffer; null is memory of the host.
  KernelCall(const Kernel& kernel, const KernelLaunch& launch,
             std::vector<std::shared_ptr<DeviceMemory>> memory);

  const Kernel& kernel() const { return kernel_; }
  // Opens the buffers, as they are declared, and calls the kernel.
  void Call() const;

 private:
  const Kernel kernel_;
  const std::int64_t count_;
  const std::vector<KernelBuffer> buffers_;
  const std::vector<std::shared_ptr<DeviceMemory>> memory_;
  // Aligned for any struct.
  std::vector<std::max_align_t> parameters_;
  const std::size_t parameters_size_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_KERNEL_CALL_H_
