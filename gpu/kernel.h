// Kernel: a function that runs on a device, in one form for each kind of
// device.
//
// A kernel is given the buffers that its launch declares, in the order of
// their declaration, and one struct of parameters. It has no other way to
// memory of a device.
//
//   form         called by                        on
//   `stand_in`   a thread of the stream           the host, for all elements
//   `cuda`       Launch, on the caller's thread   launches on the CUDA stream
//
// A form launches, or computes, and does nothing else: streams and buffers are
// not for it (a call of a Stream is an error there), and it must not wait for
// another thread.
//
// Most kernels are written once, as a function of one element: element_kernel.h
// makes both forms of it.
//
// This header is read by nvcc, too, and includes nothing but the standard
// library.
//
// Thread rule: constants; forms are called by several threads at a time.

#ifndef SYNCLINE_GPU_KERNEL_H_
#define SYNCLINE_GPU_KERNEL_H_

#include <cstddef>
#include <cstdint>

namespace syncline::gpu {

// One of the buffers of a launch.
struct KernelBuffer {
  // For a form, an address at which it may use the buffer. For
  // DeviceDriver::Launch, the address of the memory as the driver gave it.
  void* data = nullptr;
  // In bytes.
  std::size_t size = 0;
  bool may_write = false;
};

struct KernelLaunch {
  // The elements, or whatever a kernel counts its work in; not negative.
  std::int64_t count = 0;
  const KernelBuffer* buffers = nullptr;
  int num_buffers = 0;
  // A struct that can be copied by memcpy; null if there is none.
  const void* parameters = nullptr;
  std::size_t parameters_size = 0;
};

// The parameters of a kernel that has none.
struct NoParameters {};

struct Kernel {
  // For messages and traces.
  const char* name = "";
  // Null: the kernel has no such form, or this build has not.
  void (*stand_in)(const KernelLaunch& launch) = nullptr;
  // `stream` is a cudaStream_t. Returns a cudaError_t, 0 for success.
  int (*cuda)(void* stream, const KernelLaunch& launch) = nullptr;
  // Why the kernel cannot be launched so, such as "it takes 2 buffers"; null if
  // it can. Drivers ask it by CheckLaunch() (kernel_check.h). May be null.
  const char* (*why_not)(const KernelLaunch& launch) = nullptr;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNEL_H_
