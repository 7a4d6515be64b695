// CudaArrayInterface: what Python's `__cuda_array_interface__`, version 3, says
// of a tensor, as a plain struct for who binds Syncline to Python.
//
//   name of the dictionary    here
//   shape, strides            shape, strides (in bytes)
//   typestr                   typestr, "<f4"
//   data                      data, is_read_only
//   version                   kVersion
//   stream                    stream: 1 for the default stream, else a handle
//
// Whoever reads the memory first waits for `stream`. The tensor must live as
// long as the struct is used.
//
// Thread rule: values and pure functions.
// Tested by cuda_array_interface_test.

#ifndef SYNCLINE_GPU_CUDA_ARRAY_INTERFACE_H_
#define SYNCLINE_GPU_CUDA_ARRAY_INTERFACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device_tensor.h"
#include "gpu/stream.h"

namespace syncline::gpu {

struct CudaArrayInterface {
  static constexpr int kVersion = 3;

  std::vector<std::int64_t> shape;
  // In bytes; one for each dimension.
  std::vector<std::int64_t> strides;
  std::string typestr;
  // Of the first element. 0 for a tensor without elements.
  std::uintptr_t data = 0;
  bool is_read_only = true;
  std::uintptr_t stream = 0;
};

// For who reads the tensor after the work of `stream`, which is made to wait
// for what is pending on the tensor. INVALID_ARGUMENT for no tensor.
absl::StatusOr<CudaArrayInterface> ToCudaArrayInterface(
    const DeviceTensor& tensor, const Stream& stream);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CUDA_ARRAY_INTERFACE_H_
