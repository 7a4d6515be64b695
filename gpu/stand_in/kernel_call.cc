#include "gpu/stand_in/kernel_call.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace syncline::gpu {

KernelCall::KernelCall(const Kernel& kernel, const KernelLaunch& launch,
                       std::vector<std::shared_ptr<DeviceMemory>> memory)
    : kernel_(kernel),
      count_(launch.count),
      buffers_(launch.buffers, launch.buffers + launch.num_buffers),
      memory_(std::move(memory)),
      parameters_(launch.parameters_size / sizeof(std::max_align_t) + 1),
      parameters_size_(launch.parameters_size) {
  if (parameters_size_ == 0) return;
  std::memcpy(parameters_.data(), launch.parameters, parameters_size_);
}

void KernelCall::Call() const {
  std::vector<OpenPlace> open;
  open.reserve(buffers_.size());
  std::vector<KernelBuffer> buffers = buffers_;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    open.emplace_back(memory_[i], static_cast<std::byte*>(buffers[i].data),
                      buffers[i].may_write);
    buffers[i].data = open.back().address();
  }
  KernelLaunch launch;
  launch.count = count_;
  launch.buffers = buffers.data();
  launch.num_buffers = static_cast<int>(buffers.size());
  if (parameters_size_ > 0) launch.parameters = parameters_.data();
  launch.parameters_size = parameters_size_;
  kernel_.stand_in(launch);
}

}  // namespace syncline::gpu
