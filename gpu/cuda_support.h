// CudaSupport: what gpu/cuda/ does for a process that has it.
//
// CUDA is a part of its own: its runtime has other terms than ours, and most
// machines have no use for it. So nothing calls gpu/cuda/ by name. Where it is
// linked into a program, as Bazel does where a toolkit is, it registers here.
// An installation has it as the plug-in "cuda", a Debian package of its own,
// which is opened when somebody first asks for CUDA's devices. What
// device_list.h, cuda_drivers.h and nvtx.h declare asks here, and says without
// CUDA that there are no devices.
//
// Thread rule: any thread.
// Tested by cuda_support_test, devices_test and, of an installation, by
// package_test.

#ifndef SYNCLINE_GPU_CUDA_SUPPORT_H_
#define SYNCLINE_GPU_CUDA_SUPPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/registration.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

struct CudaSupport {
  // As in device_list.h and cuda_drivers.h.
  absl::StatusOr<DeviceList> (*query_devices)();
  absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> (*make_drivers)();
  // As in nvtx.h. All are null where the toolkit has no NVTX.
  void (*begin_nvtx_range)(const char* name);
  void (*end_nvtx_range)();
  void (*name_stream)(StreamHandle stream, const char* name);
};

// For a static object of gpu/cuda/. `support` is a constant.
RegistrationToken RegisterCudaSupport(const CudaSupport* support);

// What is registered so far; null if nothing is. Takes a nanosecond.
const CudaSupport* KnownCudaSupport();

// Opens the plug-in in `plugin_folder`, unless CUDA is there. UNIMPLEMENTED:
// there is no such plug-in, and what to install. Other errors are of a plug-in
// that cannot be opened.
absl::Status OpenCudaPlugin(const std::string& plugin_folder);

// CUDA, after opening the plug-in where it is installed, which is tried once;
// or the error of that.
absl::StatusOr<const CudaSupport*> FindCudaSupport();

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_SUPPORT_H_
