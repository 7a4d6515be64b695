// What functions of kernels are written with: Elements and
// SYNCLINE_DEVICE_FUNCTION. And LaunchShape, which takes a KernelLaunch apart
// into the arguments of such a function.
//
// Part of element_kernel.h and reduction_kernel.h, and read by nvcc: nothing
// but the standard library.
//
// Thread rule: pure functions and values.
// Tested by element_kernel_test.

#ifndef SYNCLINE_GPU_KERNEL_FUNCTION_H_
#define SYNCLINE_GPU_KERNEL_FUNCTION_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "gpu/kernel.h"

// Before a function that kernels call, on any device. `inline` comes with it.
#ifdef __CUDACC__
#define SYNCLINE_DEVICE_FUNCTION __host__ __device__ inline
#else
#define SYNCLINE_DEVICE_FUNCTION inline
#endif

// Whether the CUDA forms of kernels are linked in: the rules that build a .cu
// file say so to the compiler of the other forms.
#ifndef SYNCLINE_KERNELS_HAVE_CUDA
#define SYNCLINE_KERNELS_HAVE_CUDA 0
#endif

namespace syncline::gpu {

// A buffer as a kernel sees it: `size` elements at `data`. Elements<const T>
// for a buffer that the kernel only reads.
template <typename T>
struct Elements {
  T* data = nullptr;
  std::int64_t size = 0;

  SYNCLINE_DEVICE_FUNCTION T& operator[](std::int64_t index) const {
    return data[index];
  }
};

namespace internal {

// The arguments of a kernel's function: parameters P, and buffers of T.
template <typename P, typename... T>
struct LaunchShape {
  static_assert(std::is_trivially_copyable_v<P>,
                "the parameters of a kernel are copied as bytes");
  static_assert(sizeof(P) <= 3072,
                "CUDA takes 4096 bytes of arguments: put tables into a buffer");

  static constexpr int kNumBuffers = sizeof...(T);
  static constexpr std::size_t kParametersSize =
      std::is_empty_v<P> ? 0 : sizeof(P);

  static const char* WhyNot(const KernelLaunch& launch) {
    if (launch.count < 0) return "its count is negative";
    if (launch.num_buffers != kNumBuffers) {
      return "it declares more or fewer buffers than the kernel takes";
    }
    if (launch.parameters_size != kParametersSize) {
      return "its parameters are of another size than the kernel's struct";
    }
    const char* reason = nullptr;
    int next = 0;
    ((reason = reason ? reason : BufferWhyNot<T>(launch.buffers[next++])), ...);
    return reason;
  }

  static P ParametersOf(const KernelLaunch& launch) {
    P parameters{};
    if constexpr (kParametersSize > 0) {
      std::memcpy(&parameters, launch.parameters, sizeof(P));
    }
    return parameters;
  }

  template <typename Element>
  static Elements<Element> BufferOf(const KernelLaunch& launch, int index) {
    const KernelBuffer& buffer = launch.buffers[index];
    return {static_cast<Element*>(buffer.data),
            static_cast<std::int64_t>(buffer.size / sizeof(Element))};
  }

 private:
  template <typename Element>
  static const char* BufferWhyNot(const KernelBuffer& buffer) {
    if (!std::is_const_v<Element> && !buffer.may_write) {
      return "it declares a buffer as read that the kernel writes";
    }
    if (reinterpret_cast<std::uintptr_t>(buffer.data) % alignof(Element) != 0) {
      return "one of its buffers is not aligned for the kernel's elements";
    }
    return nullptr;
  }
};

// For a form that is called without a driver, which would have asked before.
inline void RequireThatItFits(const char* kernel, const char* why_not) {
  if (why_not == nullptr) return;
  std::fprintf(stderr, "kernel %s cannot be launched so: %s\n", kernel,
               why_not);
  std::abort();
}

}  // namespace internal
}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNEL_FUNCTION_H_
