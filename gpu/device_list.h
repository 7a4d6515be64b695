// What is known about the CUDA devices of a machine, as plain values.
//
// No CUDA type appears here, so that code outside gpu/cuda/ compiles alike with
// and without the toolkit.
//
// Thread rule: plain values; the functions are safe from any thread.

#ifndef SYNCLINE_GPU_DEVICE_LIST_H_
#define SYNCLINE_GPU_DEVICE_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace syncline::gpu {

struct DeviceInfo {
  int index = 0;  // The number of the device in CUDA.
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
  int64_t memory_bytes = 0;
};

// Versions are numbers as in CUDA: 1000 * major + 10 * minor.
struct DeviceList {
  std::vector<DeviceInfo> devices;  // At least one.
  int driver_version = 0;   // The newest CUDA that the driver can serve.
  int runtime_version = 0;  // The one that this program is linked with.
};

namespace internal {

// Whether CUDA is in this process, or installed (cuda_support.h).
bool BuiltWithCuda();

// The devices, or the reason why there are none.
absl::StatusOr<DeviceList> QueryDevices();

}  // namespace internal
}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_LIST_H_
