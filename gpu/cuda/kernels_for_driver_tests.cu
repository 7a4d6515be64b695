// The kernels of kernels_for_driver_tests.h.

#include <cstdint>

#include "gpu/cuda/kernels_for_driver_tests.h"
#include "gpu/element_kernel.h"

namespace syncline::gpu::internal {
namespace {

SYNCLINE_DEVICE_FUNCTION void Spin(std::int64_t i,
                                   [[maybe_unused]] const SpinParameters& spin,
                                   Elements<std::int32_t> values) {
#ifdef __CUDA_ARCH__
  const auto now = [] {
    std::uint64_t nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  };
  const std::uint64_t end = now() + spin.nanoseconds;
  while (now() < end) {
  }
#endif
  values[i] = 1;
}

SYNCLINE_DEVICE_FUNCTION void Trap(std::int64_t) {
#ifdef __CUDA_ARCH__
  __trap();
#endif
}

}  // namespace

SYNCLINE_ELEMENT_KERNEL(kSpinForTests, Spin);
SYNCLINE_ELEMENT_KERNEL(kTrapForTests, Trap);

}  // namespace syncline::gpu::internal
